// The games as the searches see them: one adapter for each kernel.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "chess_evaluation.hpp"
#include "go.hpp"
#include "gomoku.hpp"
#include "microchess_endings.hpp"
#include "mushroom.hpp"
#include "othello.hpp"
#include "search_concept.hpp"

namespace arena::search {

// What most games have in common. `Game` is the adapter that derives from this.
template <typename Game, GameBoard KernelBoard>
struct GameDefaults {
    using Board = KernelBoard;
    using Move = typename Board::Move;
    static constexpr bool has_tactical_moves = false;
    static constexpr bool has_weights = true;
    static constexpr int max_width = Board::max_moves;

    static std::string text(const Board& board, Move move) { return move_text(board.position(), move); }
    static std::optional<Move> read(const Board& board, std::string_view text) { return read_move(board.position(), text); }
    static int move_index(Move move) { return static_cast<int>(move); }
    static std::uint64_t table_key(const Board& board) { return board.key(); }
    static bool evaluate(const Board& board, int& value) {
        if (board.over()) return false;
        value = board.evaluate();
        return true;
    }
    static double white_share(const Board& board) {
        const double balance = Game::balance(board);
        return (1 + (board.white() ? balance : -balance)) / 2;
    }
    static int promise(Board&, Move) { return 0; }
    static bool is_tactical(const Board&, Move) { return false; }
    static bool in_check(const Board&) { return false; }
    static std::uint32_t weight(Board&, Move) { return 1; }
};

// What chess and microchess have in common. The end of a game depends on three counters. Two of them count in the key only
// when the end is near.
template <typename Game, GameBoard KernelBoard>
struct ChessDefaults : GameDefaults<Game, KernelBoard> {
    using Board = KernelBoard;
    using Move = typename Board::Move;
    static constexpr bool has_tactical_moves = true;

    static std::uint64_t table_key(const Board& board) {
        const auto& position = board.position();
        std::uint64_t key = board.key();
        if (board.turn_limit() > 0) key ^= mixed(static_cast<std::uint64_t>(board.turns()) + 1);
        if (position.clock >= 4) {
            const int quiet = position.clock >= Game::quiet_near_end ? position.clock : 0, times = board.occurrences();
            if (quiet || times > 1) key ^= mixed(static_cast<std::uint64_t>(quiet << 8 | times) << 32);
        }
        return key;
    }
    static double balance(const Board& board) {
        const auto& position = board.position();
        const int own = position.material(position.turn), other = position.material(!position.turn);
        return static_cast<double>(own - other) / (own + other);
    }
    static bool in_check(const Board& board) { return board.position().check(); }
};

struct Microchess : ChessDefaults<Microchess, microchess::Board> {
    using Endings = endings::Tables;
    static constexpr const char* name = "microchess";
    static constexpr int move_indexes = 1 << 13, quiet_near_end = 24;

    static std::unique_ptr<Board> make_board(std::string_view text, const Parameters& parameters) {
        const auto position = microchess::read_position(text);
        return position ? std::make_unique<Board>(*position, parameters.limit) : nullptr;
    }

    // Material, and a hundredth of a pawn for each available move.
    static bool evaluate(const Board& board, int& value) {
        const int choices = board.position().count_moves();
        if (board.ended(choices == 0) != microchess::Verdict::none) return false;
        value = board.evaluate() + choices;
        return true;
    }
    // Captures of valuable pieces by cheap pieces first.
    static int promise(Board& board, Move move) {
        const auto& position = board.position();
        const int made = microchess::promotion(move);
        if (!board.is_capture(move) && !made) return 0;
        const int captured = microchess::piece_value[position.kind(microchess::to(move))];
        const int mover = microchess::piece_value[position.kind(microchess::from(move))];
        return 100 + 16 * (captured + microchess::piece_value[made]) - mover;
    }
    static bool is_tactical(const Board& board, Move move) { return board.is_capture(move) || microchess::promotion(move); }
    static std::uint32_t weight(Board& board, Move move) {
        const int captured = microchess::piece_value[board.position().kind(microchess::to(move))];
        return static_cast<std::uint32_t>(1 + 4 * (captured + microchess::piece_value[microchess::promotion(move)]));
    }
};

struct Chess : ChessDefaults<Chess, chess::Board> {
    static constexpr const char* name = "chess";
    static constexpr int move_indexes = 1 << 15, quiet_near_end = 100;

    static std::unique_ptr<Board> make_board(std::string_view text, const Parameters& parameters) {
        const auto position = chess::read_position(text);
        return position ? std::make_unique<Board>(*position, parameters.limit) : nullptr;
    }
    static bool evaluate(const Board& board, int& value) {
        if (board.over()) return false;
        value = ChessEvaluation(board.position()).value();
        return true;
    }
    // Captures of valuable pieces by cheap pieces first, and captures that lose material last.
    static int promise(Board& board, Move move) {
        const auto& position = board.position();
        const int made = chess::promotion(move);
        if (!board.is_capture(move) && !made) return 0;
        if (!is_tactical(board, move)) return -1000;
        return 100 + 16 * (captured(position, move) + chess::piece_value[made]) - chess::piece_value[position.kind(chess::from(move))];
    }
    // Promotions to a queen, and captures that lose no material.
    static bool is_tactical(const Board& board, Move move) {
        const auto& position = board.position();
        if (chess::promotion(move)) return chess::promotion(move) == chess::QUEEN;
        if (!board.is_capture(move)) return false;
        const int mover = chess::piece_value[position.kind(chess::from(move))];
        return mover <= captured(position, move) || exchange(position, move) >= 0;
    }
    static std::uint32_t weight(Board& board, Move move) {
        return static_cast<std::uint32_t>(
            1 + 4 * (captured(board.position(), move) + chess::piece_value[chess::promotion(move)]));
    }
    static bool repeats(const Board& board) { return board.position().clock >= 4 && board.occurrences() > 1; }
    // Whether doing nothing would be bad for the side to move unless it is far behind: besides pawns it has more than a
    // bishop or a knight. With less, a side may lose because it has to move.
    static bool may_pass(const Board& board) {
        const auto& position = board.position();
        const Bits own = position.side[position.turn], light = position.piece[chess::KNIGHT] | position.piece[chess::BISHOP];
        return own & (position.piece[chess::ROOK] | position.piece[chess::QUEEN]) || count(own & light) > 1;
    }

private:
    static int captured(const chess::Position& position, Move move) {
        return position.is_en_passant(move) ? 1 : chess::piece_value[position.kind(chess::to(move))];
    }
};

struct Othello : GameDefaults<Othello, othello::Board> {
    static constexpr const char* name = "othello";
    static constexpr int move_indexes = othello::pass + 1;

    static std::unique_ptr<Board> make_board(std::string_view text, const Parameters&) {
        const auto position = othello::read_position(text);
        return position ? std::make_unique<Board>(*position) : nullptr;
    }
    static double balance(const Board& board) {
        return (count(board.position().own) - count(board.position().other)) / 64.0;
    }
    static int square_weight(Move move) {
        for (const auto& [value, squares] : othello::WEIGHTS)
            if (move != othello::pass && squares >> move & 1) return value;
        return 0;
    }
    static int promise(Board&, Move move) { return square_weight(move); }
    static std::uint32_t weight(Board&, Move move) { return static_cast<std::uint32_t>(std::max(1, 30 + square_weight(move))); }
    static int playout(Board& board, Random& random) { return othello::playout(board.position(), random); }
};

struct Gomoku : GameDefaults<Gomoku, gomoku::Board> {
    static constexpr const char* name = "gomoku";
    static constexpr int move_indexes = Points::room;
    static constexpr int max_width = 14;

    static std::unique_ptr<Board> make_board(std::string_view text, const Parameters&) {
        const auto position = gomoku::read_position(text);
        return position ? std::make_unique<Board>(*position) : nullptr;
    }
    static double balance(const Board& board) {
        const int lead = board.evaluate();
        return lead / (std::abs(lead) + 1000.0);
    }
    // What a stone there gains for its side and takes from the opponent.
    static int promise(Board& board, Move move) {
        const int before = board.evaluate();
        board.push(move);
        const int after = -board.evaluate();
        board.pop();
        return after - before;
    }
    // Points next to stones, and above all points where either side could make five.
    static std::uint32_t weight(Board& board, Move move) {
        const auto& stones = board.position().stones;
        bool near = false;
        for (const int step : gomoku::steps)
            for (const int beside : {move - step, move + step}) near |= stones[0].has(beside) || stones[1].has(beside);
        if (!near) return 1;
        const bool white = board.white();
        return gomoku::makes_five(stones[white], move) ? 5000 : gomoku::makes_five(stones[!white], move) ? 500 : 10;
    }
    static int playout(Board& board, Random& random) { return gomoku::playout(board.position(), random); }
};

struct Mushroom : GameDefaults<Mushroom, mushroom::Board> {
    static constexpr const char* name = "mushroom";
    static constexpr int move_indexes = 1 << 14;

    // A hash: few of all rectangles occur in one game, so it matters little that two may share an index.
    static int move_index(Move move) { return static_cast<int>(move * 0x9E37'79B1U >> 18); }

    static std::unique_ptr<Board> make_board(std::string_view text, const Parameters&) {
        const auto position = mushroom::read_position(text);
        return position ? std::make_unique<Board>(*position) : nullptr;
    }
    static double balance(const Board& board) {
        const auto& position = board.position();
        const int lead = board.white() ? position.lead() : -position.lead();
        return static_cast<double>(lead) / (position.rows * position.columns + 1);
    }
    // The cells that the mover gains; those of the opponent count twice.
    static int promise(Board& board, Move move) {
        if (move == mushroom::pass) return 0;
        const auto& position = board.position();
        const auto [top, left, bottom, right] = mushroom::Rectangle::of(move);
        const char own = position.owner(position.white), other = position.owner(!position.white);
        int gained = 0;
        for (int row = top; row <= bottom; ++row)
            for (int column = left; column <= right; ++column) {
                const char cell = position.at(row, column);
                gained += cell == other ? 2 : cell != own;
            }
        return gained;
    }
    static std::uint32_t weight(Board& board, Move move) {
        const auto gained = static_cast<std::uint32_t>(promise(board, move));
        return 1 + gained * gained;
    }
    static int playout(Board& board, Random& random) { return mushroom::playout(board.position(), random); }
};

struct Go : GameDefaults<Go, go::Board> {
    static constexpr const char* name = "go";
    static constexpr int move_indexes = go::pass + 1;
    static constexpr bool has_weights = false;

    static std::unique_ptr<Board> make_board(std::string_view text, const Parameters& parameters) {
        auto position = go::read_position(text, parameters.seen);
        if (!position) return nullptr;
        position->komi = parameters.komi;
        position->suicide = parameters.suicide != 0;
        position->limit = static_cast<std::uint32_t>(parameters.limit);
        position->turns = static_cast<std::uint32_t>(parameters.turns);
        return std::make_unique<Board>(*position);
    }
    static std::uint64_t table_key(const Board& board) {
        return board.key() ^ (board.position().limit ? mixed(board.position().turns + 1) : 0);
    }
    static double balance(const Board& board) {
        const auto& position = board.position();
        return board.evaluate() / (2 * (position.field.rows * position.field.columns + std::abs(position.komi) + 1));
    }
    static int playout(Board& board, Random& random) { return go::playout(board.position(), random); }
};

static_assert(SearchGame<Microchess>);
static_assert(SearchGame<Chess> && PassesToPrune<Chess>);
static_assert(SearchGame<Othello> && HasFastPlayout<Othello>);
static_assert(SearchGame<Gomoku> && HasFastPlayout<Gomoku>);
static_assert(SearchGame<Mushroom> && HasFastPlayout<Mushroom>);
static_assert(SearchGame<Go> && HasFastPlayout<Go>);

}  // namespace arena::search
