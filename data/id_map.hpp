// Ids of a file to consecutive numbers, in order of first use: open addressing, the texts in one buffer.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace jamiton {

class IdMap {
  public:
    int size() const { return static_cast<int>(starts_.size()) - 1; }

    std::string_view id(int number) const {
        return std::string_view(texts_).substr(starts_[number], starts_[number + 1] - starts_[number]);
    }

    // The number of this id, or -1.
    int find(std::string_view id) const { return slots_.empty() ? -1 : slots_[slot_of(id, hash(id))].number; }

    // The number of this id, and whether it is new.
    std::pair<int, bool> insert(std::string_view id) {
        if (slots_.size() < starts_.size() * 2) grow();
        const std::uint32_t key = hash(id);
        Slot& slot = slots_[slot_of(id, key)];
        if (slot.number >= 0) return {slot.number, false};
        slot = {size(), key};
        texts_ += id;
        starts_.push_back(texts_.size());
        return {slot.number, true};
    }

  private:
    struct Slot {
        std::int32_t number = -1;
        std::uint32_t key = 0;
    };

    static std::uint32_t hash(std::string_view id) {
        return static_cast<std::uint32_t>(std::hash<std::string_view>{}(id));
    }

    std::size_t slot_of(std::string_view wanted, std::uint32_t key) const {
        std::size_t i = key & (slots_.size() - 1);
        while (slots_[i].number >= 0 && (slots_[i].key != key || id(slots_[i].number) != wanted)) {
            i = (i + 1) & (slots_.size() - 1);
        }
        return i;
    }

    void grow() {
        std::vector<Slot> old(slots_.empty() ? 64 : slots_.size() * 4);
        old.swap(slots_);
        for (const Slot& slot : old) {
            if (slot.number >= 0) slots_[slot_of(id(slot.number), slot.key)] = slot;
        }
    }

    std::vector<Slot> slots_;  // a power of two, at most half full
    std::string texts_;
    std::vector<std::size_t> starts_{0};  // of each id in texts_, and the end
};

}  // namespace jamiton
