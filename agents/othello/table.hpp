// What is known of positions that were searched before.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <new>

namespace arena::othello {

struct Entry {
    std::uint64_t key;
    std::int16_t lower, upper;  // the value is between them
    std::uint8_t depth;
    std::uint8_t move;
    std::uint8_t kind;  // which search: values of different ones are not compared
    std::uint8_t used;
};
static_assert(sizeof(Entry) == 16);

// A fixed number of entries in pairs; of two the one searched less deeply gives way.
class Table {
public:
    explicit Table(int bits) : mask_((std::uint64_t{1} << bits) - 1) {}
    ~Table() { std::free(entries_); }
    Table(const Table&) = delete;
    Table& operator=(const Table&) = delete;

    // Make the room, which costs nothing until it is used.
    void open() {
        if (entries_) return;
        entries_ = static_cast<Entry*>(std::calloc(mask_ + 1, sizeof(Entry)));
        if (!entries_) throw std::bad_alloc();
    }

    void clear() {
        std::free(entries_);
        entries_ = nullptr;
    }

    // Older entries give way to those that are kept from now on.
    void age() { ++time_; }

    const Entry* find(std::uint64_t key, int kind = 0) const {
        for (std::uint64_t way = 0; way < 2; ++way) {
            const Entry& entry = entries_[(key & mask_) ^ way];
            if (entry.key == key && entry.kind == kind && entry.depth) return &entry;
        }
        return nullptr;
    }

    void keep(std::uint64_t key, int lower, int upper, int depth, int move, int kind = 0) {
        Entry* weaker = nullptr;
        for (std::uint64_t way = 0; way < 2; ++way) {
            Entry& entry = entries_[(key & mask_) ^ way];
            if (entry.key == key && entry.kind == kind) {
                weaker = &entry;
                break;
            }
            if (!weaker || worth(entry) < worth(*weaker)) weaker = &entry;
        }
        *weaker = {key, static_cast<std::int16_t>(lower), static_cast<std::int16_t>(upper), static_cast<std::uint8_t>(depth),
                   static_cast<std::uint8_t>(move), static_cast<std::uint8_t>(kind), time_};
    }

private:
    int worth(const Entry& entry) const { return entry.depth + (entry.used == time_ ? 64 : 0); }

    Entry* entries_ = nullptr;
    std::uint64_t mask_;
    std::uint8_t time_ = 1;
};

}  // namespace arena::othello
