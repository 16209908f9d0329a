#!/usr/bin/python3
"""Draws a results file: running vehicles and mean speed over time, and the network by mean speed.

usage: plot_results.py RESULTS.h5 PICTURE.png [--from S] [--to S]

The map shows the means of /edges between the two times (all intervals otherwise). Needs h5py, numpy and matplotlib
(Debian: python3-h5py python3-matplotlib, with the system's python3)."""

import argparse

import h5py
import matplotlib
import numpy as np

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.collections import LineCollection  # noqa: E402


def open_results(path):
    """Also while a run is writing it."""
    try:
        return h5py.File(path, "r")
    except OSError:
        return h5py.File(path, "r", libver="latest", swmr=True)


def draw_time_series(axes, file):
    summary = file["summary"]
    minutes = summary["time"][:] / 60
    axes.plot(minutes, summary["running"][:], color="tab:blue", label="running")
    axes.plot(minutes, summary["halted"][:], color="tab:red", linewidth=1, label="halted")
    axes.set(xlabel="time in min", ylabel="vehicles", xlim=(minutes.min(), minutes.max()), ylim=(0, None))
    axes.legend(loc="upper left", frameon=False)
    speed = axes.twinx()
    speed.plot(minutes, 3.6 * summary["mean_speed"][:], color="tab:gray", linewidth=1)
    speed.set(ylabel="mean speed in km/h (gray)", ylim=(0, None))


def edge_speeds(file, begin, end):
    """Mean speed per edge by its speed limit, NaN where nobody drove."""
    edges, lanes = file["edges"], file["network/lanes"]
    starts = edges["interval_begin"][:]
    chosen = (starts >= begin) & (starts < end)
    speed, density = edges["mean_speed"][chosen, :], edges["density"][chosen, :]
    weight = np.where(np.isfinite(speed), density, 0)
    total = weight.sum(axis=0)
    mean = np.where(total > 0, (weight * np.nan_to_num(speed)).sum(axis=0) / np.maximum(total, 1e-9), np.nan)
    limit = np.zeros(len(mean))
    np.maximum.at(limit, lanes["edge"][:], lanes["speed_limit"][:])
    return mean / limit


def draw_network(axes, file, begin, end):
    lanes = file["network/lanes"]
    shape, first = lanes["shape"][:], lanes["shape_begin"][:]
    ratio = edge_speeds(file, begin, end)[lanes["edge"][:]] if len(file["edges/interval_begin"]) else None
    lines = LineCollection([shape[a:b] for a, b in zip(first, first[1:])], cmap="RdYlGn", linewidths=1.6, zorder=2)
    axes.add_collection(LineCollection(lines.get_segments(), colors="#cccccc", linewidths=1, zorder=1))
    if ratio is not None:
        lines.set_array(np.ma.masked_invalid(ratio))
        lines.set_clim(0, 1)
        axes.add_collection(lines)
        axes.figure.colorbar(lines, ax=axes, label="mean speed by speed limit", shrink=0.7)
    axes.autoscale()
    axes.set_aspect("equal")
    axes.set(xlabel="x in m", ylabel="y in m")


def main():
    parser = argparse.ArgumentParser(description="Draws a results file.")
    parser.add_argument("results")
    parser.add_argument("picture")
    parser.add_argument("--from", dest="begin", type=float, default=-np.inf, help="s, start of what the map shows")
    parser.add_argument("--to", dest="end", type=float, default=np.inf, help="s, its end")
    options = parser.parse_args()
    figure, (left, right) = plt.subplots(1, 2, figsize=(12, 4.8), layout="constrained")
    with open_results(options.results) as file:
        draw_time_series(left, file)
        draw_network(right, file, options.begin, options.end)
    figure.savefig(options.picture, dpi=110)


if __name__ == "__main__":
    main()
