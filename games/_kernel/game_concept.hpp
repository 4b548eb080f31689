// What the kernel of a game offers, as concepts. Every kernel asserts them at the end of its header, so that a missing
// member is a compiler error in that header and names the member.
//
// What a search needs beyond a kernel is in agents/core/search_concept.hpp.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "random.hpp"

namespace arena {

// The position after a legal move, for positions that can make a move in place.
template <typename Position, typename Move>
Position copy_and_make(const Position& position, Move move) {
    Position next = position;
    next.make(move);
    return next;
}

// A position is a value. Equal positions have equal keys.
template <typename Position>
concept HasPositionValue = std::copyable<Position> && requires(const Position& position, typename Position::Move move) {
    { Position::max_moves } -> std::convertible_to<int>;  // no position has more legal moves
    { position.after(move) } -> std::same_as<Position>;   // the move must be legal
    { position.key() } -> std::same_as<std::uint64_t>;
};

// The texts are those of the Python rules, which are the specification of a kernel.
template <typename Position>
concept HasText = requires(const Position& position, typename Position::Move move, std::string_view text) {
    { position_text(position) } -> std::same_as<std::string>;
    { move_text(position, move) } -> std::same_as<std::string>;
    { read_move(position, text) } -> std::same_as<std::optional<typename Position::Move>>;  // empty: not a legal move
};

template <typename Position>
concept KernelPosition = HasPositionValue<Position> && HasText<Position>;

// A position that decides alone, without a history, whether the game is over. All games but microchess have one.
template <typename Position>
concept SelfContainedPosition =
    KernelPosition<Position> && std::equality_comparable<Position> &&
    requires(const Position& position, typename Position::Move* into, Random& random, bool (*go_on)()) {
        { position.white } -> std::convertible_to<bool>;                         // whether White is to move
        { position.over() } -> std::same_as<bool>;
        { legal_moves(position, into) } -> std::same_as<int>;                    // their number, 0 when the game is over
        { perft(position, 1, go_on) } -> std::same_as<std::uint64_t>;            // stops early when `go_on` returns false
        { playout(position, random) } -> std::same_as<int>;                      // random moves: +1 White won, -1 Black, 0 nobody
    };

// A board makes moves and takes them back.
template <typename Board>
concept HasPushAndPop = requires(Board& board, const Board& seen, typename Board::Move move) {
    { board.push(move) } -> std::same_as<void>;  // the move must be legal
    { board.pop() } -> std::same_as<void>;
    { seen.position() } -> std::same_as<const typename Board::Position&>;
    { seen.key() } -> std::same_as<std::uint64_t>;  // equal for positions that repeat each other
    { seen.white() } -> std::same_as<bool>;         // whether White is to move
};

template <typename Board>
concept HasLegalMoves = requires(const Board& board, typename Board::Move* into) {
    { Board::max_moves } -> std::convertible_to<int>;
    { board.moves(into) } -> std::same_as<int>;  // in the order of the specification; 0 when the game is over
};

// By the rules of the competition, turn limit included.
template <typename Board>
concept HasEnding = requires(const Board& board) {
    { board.over() } -> std::same_as<bool>;
    { board.result() } -> std::same_as<int>;  // +1 White won, -1 Black won, 0 nobody
};

template <typename Board>
concept HasEvaluation = requires(const Board& board) {
    { board.evaluate() } -> std::same_as<int>;  // for the side to move
};

// A game in progress, for searches.
template <typename Board>
concept GameBoard = KernelPosition<typename Board::Position> && std::copy_constructible<Board> && HasPushAndPop<Board> &&
                    HasLegalMoves<Board> && HasEnding<Board> && HasEvaluation<Board>;

}  // namespace arena
