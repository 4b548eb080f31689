// Games of chess and microchess in progress, random games, and the number of move sequences.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "chess_verdict.hpp"
#include "position_stack.hpp"
#include "random.hpp"

namespace arena::boards {

// The number of sequences of `depth` turns. The competition's rules for the end of a game do not apply.
template <typename Position>
std::uint64_t perft(const Position& position, int depth) {
    if (depth == 0) return 1;
    if (depth == 1) return static_cast<std::uint64_t>(position.count_moves());
    typename Position::Move moves[Position::max_moves];
    const int found = position.moves(moves);
    std::uint64_t sum = 0;
    for (int index = 0; index < found; ++index) sum += perft(position.template made<false>(moves[index]), depth - 1);
    return sum;
}

// The keys of the positions since the last capture or pawn move. There are never more than the rules allow.
template <typename Position>
class RecentKeys {
public:
    void add(std::uint64_t key) { keys_[size_++ % room] = key; }
    void clear() { size_ = 0; }
    bool repeats(std::uint64_t key) const {
        int found = 1;
        for (std::uint32_t index = size_ > room ? size_ - room : 0; index < size_; ++index)
            found += keys_[index % room] == key;
        return found >= Position::most_repetitions;
    }

private:
    static constexpr std::uint32_t room = Position::quiet_turns + 14;
    std::uint64_t keys_[room];
    std::uint32_t size_ = 0;
};

// Play random moves until the game is over: +1 White won, -1 Black won, 0 nobody.
template <typename Position>
int playout(Position position, long long limit, RecentKeys<Position> recent, Random& random) {
    typename Position::Move moves[Position::max_moves];
    while (true) {
        const int found = position.moves(moves);
        const Verdict verdict = position.verdict(found == 0, limit, [&] { return recent.repeats(position.hash); });
        if (verdict != Verdict::none) return position.winner(verdict);
        recent.add(position.hash);
        position = position.after(moves[random.below(static_cast<std::uint32_t>(found))]);
        if (position.clock == 0) recent.clear();
    }
}

// A game in progress, for searches.
template <typename Value>
class Board : public PositionStack<Value> {
public:
    using Position = Value;
    using Move = typename Position::Move;
    using PositionStack<Position>::position;

    explicit Board(const Position& position = Position::start(), long long turn_limit = Position::usual_limit)
        : PositionStack<Position>(position), limit_(turn_limit) {}

    // A turn without a move, for searches; `pop` takes it back.
    void pass() { this->positions_.push_back(position().passed()); }
    int moves(Move* into) const {
        const int found = position().moves(into);
        return found && ended(false) == Verdict::none ? found : 0;
    }
    // The verdict, for a caller that knows whether there is no legal move.
    Verdict ended(bool no_moves) const { return position().verdict(no_moves, limit_, [this] { return repeats(); }); }
    Verdict verdict() const { return ended(position().count_moves() == 0); }
    bool over() const { return verdict() != Verdict::none; }
    int result() const { return position().winner(verdict()); }
    bool white() const { return position().white(); }
    std::uint64_t key() const { return position().key(); }
    long long turns() const { return position().turns(); }
    long long turn_limit() const { return limit_; }
    bool is_capture(Move move) const { return position().captures(move); }
    // For the side to move: its lead in material, in hundredths of a pawn.
    int evaluate() const {
        const int lead = position().material(1) - position().material(0);
        return 100 * (white() ? lead : -lead);
    }

    // How often the position occurred since the last capture or pawn move, this time included.
    int occurrences() const { return occurrences_of(position()); }
    // The same of the position that occurred most often.
    int most_occurrences() const {
        int most = 0;
        for (std::size_t index = first_of_quiet(); index < positions().size(); ++index)
            most = std::max(most, occurrences_of(positions()[index]));
        return most;
    }
    bool repeats() const {
        return position().clock >= Position::most_repetitions - 1 && occurrences() >= Position::most_repetitions;
    }

private:
    const auto& positions() const { return this->positions_; }
    // The index of the position after the last capture or pawn move, as far as it is known.
    std::size_t first_of_quiet() const {
        const std::size_t size = positions().size() - 1;
        const std::size_t back = position().clock < 0 ? 0 : static_cast<std::size_t>(position().clock);
        return size > back ? size - back : 0;
    }
    int occurrences_of(const Position& wanted) const {
        int found = 0;
        for (std::size_t index = first_of_quiet(); index < positions().size(); ++index) found += wanted.same(positions()[index]);
        return found;
    }

    long long limit_;
};

}  // namespace arena::boards
