// What the searches need of a game beyond its kernel, as concepts. `games.hpp` has one adapter for each game and asserts
// them there, so that a missing member is a compiler error that names the member.
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "game_concept.hpp"

namespace arena::search {

// What belongs to a position besides its text. Each game reads what it needs.
struct Parameters {
    long long limit = 0;  // on the number of turns; 0: none
    double komi = 0;
    int suicide = 0;                     // 1 if it is legal
    long long turns = 0;                 // made so far
    std::vector<std::string_view> seen;  // boards that may not occur again: the bits of both colours, in hexadecimal
};

template <typename Game>
concept HasBoardFromText =
    requires(std::string_view text, const Parameters& parameters, const typename Game::Board& board, typename Game::Move move) {
        { Game::name } -> std::convertible_to<const char*>;
        { Game::make_board(text, parameters) } -> std::same_as<std::unique_ptr<typename Game::Board>>;  // null: not valid
        { Game::text(board, move) } -> std::same_as<std::string>;
        { Game::read(board, text) } -> std::same_as<std::optional<typename Game::Move>>;  // empty: not a legal move
    };

// A small number for each move, and a key for each position. The key may distinguish more than the board's key does.
template <typename Game>
concept HasTableKeys = requires(const typename Game::Board& board, typename Game::Move move) {
    { Game::move_indexes } -> std::convertible_to<int>;
    { Game::move_index(move) } -> std::same_as<int>;  // from 0 to `move_indexes` - 1
    { Game::table_key(board) } -> std::same_as<std::uint64_t>;
};

template <typename Game>
concept HasValues = requires(const typename Game::Board& board, int& value) {
    { Game::evaluate(board, value) } -> std::same_as<bool>;  // false if the game is over; the value is for the side to move
    { Game::balance(board) } -> std::same_as<double>;        // the same from -1 to 1, as agents/evaluation.py counts
    { Game::white_share(board) } -> std::same_as<double>;    // from 0 to 1
};

// For alpha-beta. After a tactical move, such as a capture, a position is not evaluated before it is quiet.
template <typename Game>
concept HasMoveOrder = requires(typename Game::Board& board, const typename Game::Board& seen, typename Game::Move move) {
    { Game::has_tactical_moves } -> std::convertible_to<bool>;
    { Game::max_width } -> std::convertible_to<int>;         // how many moves of a position are searched
    { Game::promise(board, move) } -> std::same_as<int>;     // moves of higher promise are tried first
    { Game::is_tactical(seen, move) } -> std::same_as<bool>;
    { Game::in_check(seen) } -> std::same_as<bool>;
};

// For playouts that prefer some moves.
template <typename Game>
concept HasPlayoutWeights = requires(typename Game::Board& board, typename Game::Move move) {
    { Game::has_weights } -> std::convertible_to<bool>;
    { Game::weight(board, move) } -> std::same_as<std::uint32_t>;
};

template <typename Game>
concept SearchGame = GameBoard<typename Game::Board> && HasBoardFromText<Game> && HasTableKeys<Game> && HasValues<Game> &&
                     HasMoveOrder<Game> && HasPlayoutWeights<Game>;

// Optional: random moves to the end, where the kernel is faster than moves on the board. +1 White won, -1 Black, 0 nobody.
template <typename Game>
concept HasFastPlayout = requires(typename Game::Board& board, Random& random) {
    { Game::playout(board, random) } -> std::same_as<int>;
};

// Optional: alpha-beta may let the side to move pass, to see whether its position is good enough without a move. Such games
// also have answers to checks extended, late quiet moves reduced more, and repetitions counted as draws.
template <typename Game>
concept PassesToPrune = requires(typename Game::Board& board, const typename Game::Board& seen) {
    { Game::may_pass(seen) } -> std::same_as<bool>;
    { Game::repeats(seen) } -> std::same_as<bool>;  // the position occurred before: counted as a draw
    { board.pass() } -> std::same_as<void>;
};

}  // namespace arena::search
