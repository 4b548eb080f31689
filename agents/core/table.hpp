// The transposition table of all searches, and the scores that alpha-beta keeps in it.
#pragma once

#include <concepts>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <new>
#include <type_traits>
#include <utility>

namespace arena::search {

inline constexpr int never_replaced = std::numeric_limits<int>::max();

// What a table stores for one position. An entry of zero bytes is empty. Its `worth` is the replacement policy: in a
// group without an entry for the new position, the new entry replaces the entry of the lowest worth.
template <typename Entry>
concept TableEntry = std::is_trivially_copyable_v<Entry> && requires(const Entry& entry, const Entry& added, std::uint64_t key) {
    { entry.empty() } -> std::same_as<bool>;
    { entry.is_for(key) } -> std::same_as<bool>;    // false if it is empty
    { entry.worth(added) } -> std::same_as<int>;    // `never_replaced`: the new entry is dropped
};

// A fixed number of entries in groups of `ways`.
template <TableEntry Entry, unsigned ways>
    requires(ways > 0 && (ways & (ways - 1)) == 0)
class Table {
public:
    // Room for 2 to the power of `bits` entries.
    explicit Table(int bits) : mask_((std::uint64_t{1} << bits) - 1) {}
    ~Table() { std::free(entries_); }
    Table(Table&& other) noexcept
        : entries_(std::exchange(other.entries_, nullptr)), mask_(other.mask_), used_(std::exchange(other.used_, 0)) {}
    Table& operator=(Table&&) = delete;

    // Call this before a search. Memory that is never touched costs nothing.
    void open() {
        if (entries_) return;
        entries_ = static_cast<Entry*>(std::calloc(mask_ + 1, sizeof(Entry)));
        if (!entries_) throw std::bad_alloc();
    }

    void clear() {
        std::free(entries_);
        entries_ = nullptr;
        used_ = 0;
    }

    // Call this before a search if the entries have no age: a table that is half full is emptied.
    void refresh() {
        if (used_ > mask_ / 2) clear();
        open();
    }

    const Entry* find(std::uint64_t key) const {
        for (std::uint64_t way = 0; way < ways; ++way) {
            const Entry& entry = entries_[(key & mask_) ^ way];
            if (entry.is_for(key)) return &entry;
        }
        return nullptr;
    }

    void keep(std::uint64_t key, const Entry& added) {
        Entry* replaced = nullptr;
        int least = never_replaced;
        for (std::uint64_t way = 0; way < ways; ++way) {
            Entry& entry = entries_[(key & mask_) ^ way];
            if (entry.is_for(key)) {
                replaced = &entry;
                break;
            }
            const int worth = entry.worth(added);
            if (worth < least) replaced = &entry, least = worth;
        }
        if (!replaced) return;
        used_ += replaced->empty();
        *replaced = added;
    }

private:
    Entry* entries_ = nullptr;
    std::uint64_t mask_, used_ = 0;
};

// A won game is worth this much to the winner, minus one for each turn until the end.
inline constexpr int decided = 10'000'000;
inline constexpr int infinite = decided + 1;
inline constexpr int clear = decided - 1000;  // higher values are those of decided games

struct Window {
    int alpha, beta;
};

// Whether a stored value is exact or a bound.
enum class Bound : std::uint8_t { none, lower, upper, exact };

inline Bound bound_of(int value, Window window) {
    return value >= window.beta ? Bound::lower : value <= window.alpha ? Bound::upper : Bound::exact;
}
// Whether a stored value, or the bound that it is, ends the search of a position.
inline bool settles(int value, Bound bound, Window window) {
    return bound == Bound::exact || (bound == Bound::lower ? value >= window.beta : value <= window.alpha);
}

// A search counts the turns to the end of a decided game from its root. A table counts them from the stored position,
// which may be reached again at another turn.
inline int to_stored(int value, int turn) { return value > clear ? value + turn : value < -clear ? value - turn : value; }
inline int from_stored(int value, int turn) { return value > clear ? value - turn : value < -clear ? value + turn : value; }

// The result of an alpha-beta search. In a full group the result of the lowest depth is replaced.
struct ScoreEntry {
    std::uint64_t key = 0;
    std::int32_t value = 0;
    std::uint32_t best : 20 = 0;
    std::uint32_t bound_code : 4 = 0;
    std::int32_t depth : 8 = 0;  // a whole byte, since it is read most often

    static ScoreEntry of(std::uint64_t key, int depth, int value, std::uint32_t best, int turn, Window window) {
        return {key, to_stored(value, turn), best, static_cast<std::uint32_t>(bound_of(value, window)), depth};
    }

    Bound bound() const { return static_cast<Bound>(bound_code); }
    int from_root(int turn) const { return from_stored(value, turn); }
    bool settles(int turn, Window window) const { return search::settles(from_root(turn), bound(), window); }

    bool empty() const { return bound() == Bound::none; }
    bool is_for(std::uint64_t wanted) const { return key == wanted && !empty(); }
    int worth(const ScoreEntry&) const { return empty() ? -1 : depth; }
};
static_assert(sizeof(ScoreEntry) == 16);

using ScoreTable = Table<ScoreEntry, 4>;

}  // namespace arena::search
