// The boards of a game of Go so far: a move may not repeat one of them.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstring>
#include <utility>
#include <vector>

#include "go_field.hpp"

namespace arena::go {

// A board that has occurred, linked to the boards before it.
struct Seen {
    Stones stones;
    std::uint64_t hash;
    std::int16_t count[2];
    std::int16_t highest;  // the highest number of stones on any of the boards
    std::uint32_t length;  // number of boards, this one included
    Seen* before;
    std::atomic<std::uint32_t> owners;
};

// The boards that may not occur again. Copies share their boards.
class History {
public:
    History() = default;
    History(const History& other) : last_(other.last_) {
        if (last_) last_->owners.fetch_add(1, std::memory_order_relaxed);
    }
    History(History&& other) noexcept : last_(std::exchange(other.last_, nullptr)) {}
    History& operator=(History other) noexcept {
        std::swap(last_, other.last_);
        return *this;
    }
    ~History() {
        // A loop and not recursion: the chain may be a million boards long.
        while (last_ && last_->owners.fetch_sub(1, std::memory_order_acq_rel) == 1)
            delete std::exchange(last_, last_->before);
    }

    void add(const Field& field) {
        const std::int16_t highest = std::max(field.total(), last_ ? last_->highest : std::int16_t{0});
        last_ = new Seen{field.stones, field.hash, {field.count[0], field.count[1]}, highest, length() + 1, last_, {1}};
    }

    std::uint32_t length() const { return last_ ? last_->length : 0; }

    bool has(const Field& field) const {
        return last_ && field.total() <= last_->highest && among(field.stones, field.hash, last_);
    }

    // Call `look` with each board, the latest first.
    template <typename Look>
    void each(Look look) const {
        for (const Seen* seen = last_; seen; seen = seen->before) look(*seen);
    }

    // Whether both hold the same boards, in any order.
    bool same(const History& other) const {
        if (length() != other.length()) return false;
        const Seen *mine = last_, *theirs = other.last_;
        while (mine != theirs && mine->hash == theirs->hash && mine->stones == theirs->stones)
            mine = mine->before, theirs = theirs->before;
        return mine == theirs || std::ranges::equal(sorted(mine), sorted(theirs), [](const Seen* one, const Seen* two) {
                   return one->hash == two->hash && one->stones == two->stones;
               });
    }

private:
    static bool among(const Stones& stones, std::uint64_t hash, const Seen* seen) {
        for (; seen; seen = seen->before)
            if (seen->hash == hash && seen->stones == stones) return true;
        return false;
    }

    static std::vector<const Seen*> sorted(const Seen* seen) {
        std::vector<const Seen*> found;
        for (; seen; seen = seen->before) found.push_back(seen);
        std::ranges::sort(found, [](const Seen* one, const Seen* two) {
            if (one->hash != two->hash) return one->hash < two->hash;
            return std::memcmp(&one->stones, &two->stones, sizeof one->stones) < 0;
        });
        return found;
    }

    Seen* last_ = nullptr;
};

}  // namespace arena::go
