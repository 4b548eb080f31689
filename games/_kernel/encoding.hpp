// Positions as numbers, for learners: a position becomes inputs of a network, and a move becomes the index of an output.
// games/encoding is the specification and explains the inputs of each game.
//
// NAME_encoding.hpp specialises `Encoding` for each game. Everything is seen by the side to move: its pieces come first,
// and in the chess games the board is turned so that its pawns move up.
#pragma once

#include <algorithm>
#include <concepts>

#include "game_concept.hpp"

namespace arena {

// The sizes of an encoding. They may depend on the size of the board.
struct Shape {
    int planes = 0, height = 0, width = 0;
    int scalars = 0;
    int actions = 0;

    constexpr int cells() const { return height * width; }
    // The length of one encoded position: the planes, row by row, then the scalars.
    constexpr int inputs() const { return planes * cells() + scalars; }
    bool operator==(const Shape&) const = default;
};

// Specialised for the board of every game, and for the position where the position alone is enough.
template <typename Game>
struct Encoding;

// What a specialisation offers.
template <typename Game>
concept Encodable = requires(const Game& game, float* out, typename Game::Move move) {
    { Encoding<Game>::shape(game) } -> std::same_as<Shape>;
    { Encoding<Game>::encode(game, out) } -> std::same_as<void>;     // writes all `inputs()` numbers
    { Encoding<Game>::action(game, move) } -> std::same_as<int>;     // from 0 to `actions` - 1; the move must be legal
    // Calls `set(index, value)` for every input that is not 0, each index once, in any order.
    { Encoding<Game>::each_input(game, [](int, float) {}) } -> std::same_as<void>;
};

// Write the inputs of a game whose encoding can list the inputs that are not 0.
template <typename Game>
void encode_inputs(const Game& game, float* out) {
    std::fill_n(out, Encoding<Game>::shape(game).inputs(), 0.0F);
    Encoding<Game>::each_input(game, [out](int index, float value) { out[index] = value; });
}

// Boards of games whose position decides alone are encoded by their position.
template <typename Board>
    requires SelfContainedPosition<typename Board::Position>
struct Encoding<Board> {
    using Position = typename Board::Position;
    static Shape shape(const Board& board) { return Encoding<Position>::shape(board.position()); }
    static void encode(const Board& board, float* out) { Encoding<Position>::encode(board.position(), out); }
    static int action(const Board& board, typename Board::Move move) {
        return Encoding<Position>::action(board.position(), move);
    }
    template <typename Set>
    static void each_input(const Board& board, Set set) { Encoding<Position>::each_input(board.position(), set); }
};

}  // namespace arena
