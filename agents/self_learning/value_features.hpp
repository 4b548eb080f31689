// The inputs of the learned value: which features of a position are active, as bits. value_features.py specifies them.
//
// Everything is seen by the side to move. Bits are laid out for speed, features are numbered without gaps for the learner;
// `feature` translates. In microchess Black sees the board turned by 180 degrees: it has the same bits as White, but they
// mean other features, so there are two views with a table of weights each.
#pragma once

#include <algorithm>
#include <iterator>

#include "../core/games.hpp"

namespace arena::value {

// One specialisation for each game:
//   words                      the 64-bit words that hold the bits
//   views                      how many tables of weights there are
//   most_active(position)      no position later in the game has more active features
//   size(position)             the number of features; it may depend on the size of the board
//   feature(position, view, bit)  the feature that a bit means; -1: none
//   view(board)                the view of the side to move
//   collect(board, into)       set the bits; false if the game is over, then nothing is set
//   margin(board)              White's lead at the end of a game, from -127 to 127
template <typename Game>
struct Features;

// How many of these ascending limits a number has reached, as bits.
template <std::size_t size>
constexpr Bits reached(const int (&limits)[size], long long number) {
    Bits bits = 0;
    for (std::size_t index = 0; index < size; ++index) bits |= Bits{number >= limits[index]} << index;
    return bits;
}

template <>
struct Features<search::Microchess> {
    using Board = microchess::Board;
    using Position = microchess::Position;
    static constexpr int words = 5, views = 2;
    static constexpr int squares = microchess::squares, pieces = 12 * squares;

    static constexpr int sooner[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 36, 54};  // turns left, at most
    // Not below 24: up to there the keys of the search do not distinguish these turns.
    static constexpr int without_progress[] = {24, 32, 40, 44, 47};
    static constexpr int repetitions = 3, most_lead = 12;
    static constexpr int castling_at = 0, repetition_at = 2, sooner_at = repetition_at + repetitions;
    static constexpr int progress_at = sooner_at + static_cast<int>(std::size(sooner));
    static constexpr int lead_at = progress_at + static_cast<int>(std::size(without_progress));
    static constexpr int others = lead_at + 2 * most_lead + 1;
    static_assert(others <= 64);

    static int size(const Position&) { return pieces + others; }
    static int most_active(const Position& position) { return count(position.occupied()) + lead_at + 1; }
    static int view(const Board& board) { return board.white() ? 0 : 1; }

    // Each word of the first four holds the squares of three kinds of pieces: the mover's six, then the opponent's.
    static int feature(const Position&, int view, int bit) {
        const int word = bit / 64, place = bit % 64;
        if (word == 4) return place < others ? pieces + place : -1;
        if (place >= 3 * squares) return -1;
        const int square = place % squares;
        return (3 * word + place / squares) * squares + (view ? squares - 1 - square : square);
    }

    static bool collect(const Board& board, Bits (&into)[words]) {
        const Position& position = board.position();
        const int times = position.clock >= 4 ? board.occurrences() : 1;
        const auto repeats = [times] { return times >= microchess::Position::most_repetitions; };
        if (position.verdict(!has_moves(position), board.turn_limit(), repeats) != microchess::Verdict::none) return false;
        int lead = 0;
        for (int color = 0; color < 2; ++color) {
            const bool own = color == position.turn;
            const microchess::Squares side = position.side[color];
            Bits* word = into + (own ? 0 : 2);
            for (int half = 0; half < 2; ++half) {
                const auto* piece = position.piece + 1 + 3 * half;
                word[half] = Bits{piece[0] & side} | Bits{piece[1] & side} << squares | Bits{piece[2] & side} << 2 * squares;
            }
            lead += own ? position.material(color) : -position.material(color);
        }
        into[4] = other_bits(board, times, lead);
        return true;
    }

    static int margin(const Board& board) {
        const microchess::Verdict verdict = board.verdict();
        if (verdict == microchess::Verdict::checkmate) return most_lead * board.position().winner(verdict);
        return board.position().material(microchess::WHITE) - board.position().material(microchess::BLACK);
    }

private:
    static Bits other_bits(const Board& board, int times, int lead) {
        const Position& position = board.position();
        Bits bits = Bits{position.rights >> position.turn & 1U} | Bits{position.rights >> !position.turn & 1U} << 1;
        bits |= ((Bits{1} << (std::min(times, repetitions + 1) - 1)) - 1) << repetition_at;
        if (board.turn_limit() > 0) {
            const long long left = board.turn_limit() - board.turns();
            for (std::size_t index = 0; index < std::size(sooner); ++index)
                bits |= Bits{left <= sooner[index]} << (sooner_at + static_cast<int>(index));
        }
        if (position.clock >= without_progress[0]) bits |= reached(without_progress, position.clock) << progress_at;
        return bits | Bits{1} << (lead_at + most_lead + std::clamp(lead, -most_lead, most_lead));
    }

    // Whether there is a legal move. A piece that is not in line with its king may go anywhere unless the king is in check.
    static bool has_moves(const Position& position) {
        if (position.check()) return position.count_moves() != 0;
        const int king = position.king(position.turn);
        for (int number = microchess::PAWN; number < microchess::KING; ++number)
            for (auto left = position.piece[number] & position.side[position.turn]; left;) {
                const int square = arena::take(left);
                if (microchess::attacks_from.line[king][square]) continue;
                if (number == microchess::PAWN ? position.pawn_targets(square) : position.piece_targets(number, square)) return true;
            }
        return position.count_moves() != 0;
    }
};

// Black sees the board mirrored, so that both sides have the same features.
template <>
struct Features<search::Chess> {
    using Board = chess::Board;
    using Position = chess::Position;
    static constexpr int words = 13, views = 1, pieces = 12 * chess::squares;

    static constexpr int sooner[] = {1, 2, 4, 8, 16, 32};  // turns left, at most
    // Not below 100: up to there the keys of the search do not distinguish these turns.
    static constexpr int without_progress[] = {100, 120, 135, 145};
    static constexpr int repetitions = 3, most_lead = 12, castling = 4;
    static constexpr int repetition_at = castling, sooner_at = repetition_at + repetitions;
    static constexpr int progress_at = sooner_at + static_cast<int>(std::size(sooner));
    static constexpr int lead_at = progress_at + static_cast<int>(std::size(without_progress));
    static constexpr int others = lead_at + 2 * most_lead + 1;
    static_assert(others <= 64);

    static int size(const Position&) { return pieces + others; }
    static int most_active(const Position&) { return 32 + lead_at + 1; }
    static int view(const Board&) { return 0; }
    static int feature(const Position&, int, int bit) { return bit < pieces + others ? bit : -1; }

    static bool collect(const Board& board, Bits (&into)[words]) {
        if (board.over()) return false;
        const Position& position = board.position();
        const int own = position.turn, lead = position.material(own) - position.material(!own);
        for (int piece = 0; piece < 6; ++piece) {
            into[piece] = seen(own, position.of(own, piece + 1));
            into[6 + piece] = seen(own, position.of(!own, piece + 1));
        }
        Bits bits = rights(position, own) | rights(position, !own) << 2;
        const int times = position.clock >= 4 ? board.occurrences() : 1;
        bits |= ((Bits{1} << (std::min(times, repetitions + 1) - 1)) - 1) << repetition_at;
        if (board.turn_limit() > 0) {
            const long long left = board.turn_limit() - board.turns();
            for (std::size_t index = 0; index < std::size(sooner); ++index)
                bits |= Bits{left <= sooner[index]} << (sooner_at + static_cast<int>(index));
        }
        bits |= reached(without_progress, position.clock) << progress_at;
        into[12] = bits | Bits{1} << (lead_at + most_lead + std::clamp(lead, -most_lead, most_lead));
        return true;
    }

    static int margin(const Board& board) {
        const auto verdict = board.verdict();
        if (verdict == chess::Verdict::checkmate) return most_lead * board.position().winner(verdict);
        return board.position().material(chess::WHITE) - board.position().material(chess::BLACK);
    }

private:
    static Bits seen(int color, Bits squares) { return color == chess::WHITE ? squares : __builtin_bswap64(squares); }
    // Whether a side may still castle on the side of the a-file, and on that of the h-file.
    static Bits rights(const Position& position, int color) {
        const Bits rooks = position.castling & position.side[color], king = chess::bit(position.king(color));
        return Bits{(rooks & (king - 1)) != 0} | Bits{(rooks & ~(king - 1)) != 0} << 1;
    }
};

template <>
struct Features<search::Othello> {
    using Board = othello::Board;
    using Position = othello::Position;
    static constexpr int words = 3, views = 1;
    static constexpr int squares = 64, most_moves = 14, empties[] = {4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56};
    // How many moves each side has, up to `most_moves`; how many empty squares there are, and whether their number is odd.
    static constexpr int empties_at = 2 * (most_moves + 1), odd_at = empties_at + static_cast<int>(std::size(empties));
    static constexpr int others = odd_at + 1;
    static_assert(others <= 64);

    static int size(const Position&) { return 2 * squares + others; }
    static int most_active(const Position&) { return squares + 2 + static_cast<int>(std::size(empties)) + 1; }
    static int view(const Board&) { return 0; }
    static int feature(const Position&, int, int bit) { return bit < 2 * squares + others ? bit : -1; }

    static bool collect(const Board& board, Bits (&into)[words]) {
        const auto& [own, other, white] = board.position();
        const int mine = count(othello::enclosing(own, other)), theirs = count(othello::enclosing(other, own));
        if (!mine && !theirs) return false;
        const int empty = squares - count(own | other);
        into[0] = own;
        into[1] = other;
        into[2] = Bits{1} << std::min(mine, most_moves) | Bits{1} << (most_moves + 1 + std::min(theirs, most_moves)) |
                  reached(empties, empty) << empties_at | Bits(empty & 1) << odd_at;
        return true;
    }
    static int margin(const Board& board) {
        return count(board.position().white_discs()) - count(board.position().black_discs());
    }
};

template <>
struct Features<search::Gomoku> {
    using Board = gomoku::Board;
    using Position = gomoku::Position;
    static constexpr int words = 2 * Points::words + 1, views = 1;
    // How many lines of five points hold one to four stones, all of one side.
    static constexpr int ones[] = {5, 10, 15, 20, 30, 40, 50}, twos[] = {1, 2, 3, 4, 6, 8, 11, 15, 20}, threes[] = {1, 2, 3, 4, 6, 8};
    static constexpr int fours[] = {1, 2, 3};
    static constexpr int side_counts = 7 + 9 + 6 + 3;

    static int size(const Position& position) { return 2 * position.rows * position.columns + 2 * side_counts; }
    static int most_active(const Position& position) { return position.rows * position.columns + 2 * side_counts; }
    static int view(const Board&) { return 0; }
    static int feature(const Position& position, int, int bit) {
        const int cells = position.rows * position.columns, word = bit / 64;
        if (word == words - 1) return bit % 64 < 2 * side_counts ? 2 * cells + bit % 64 : -1;
        const int side = word / Points::words, point = bit - side * Points::room;
        if (point <= gomoku::stride) return -1;
        const int row = gomoku::row_of(point), column = gomoku::column_of(point);
        if (row < 0 || row >= position.rows || column >= position.columns) return -1;
        return side * cells + row * position.columns + column;
    }

    static bool collect(const Board& board, Bits (&into)[words]) {
        const Position& position = board.position();
        if (position.over()) return false;
        const Points &own = position.stones[position.white], &other = position.stones[!position.white];
        std::copy(own.word, own.word + Points::words, into);
        std::copy(other.word, other.word + Points::words, into + Points::words);
        into[words - 1] = counts(position, own) | counts(position, other) << side_counts;
        return true;
    }
    static int margin(const Board& board) { return board.result(); }

private:
    static Points shifted(const Points& points, int by) {
        Points found;
        const int whole = by / 64, rest = by % 64;
        for (int index = 0; index + whole < Points::words; ++index) {
            found.word[index] = points.word[index + whole] >> rest;
            if (rest && index + whole + 1 < Points::words) found.word[index] |= points.word[index + whole + 1] << (64 - rest);
        }
        return found;
    }

    // A line is named by its first point. The stones of all lines are counted at once, in three binary digits.
    static Bits counts(const Position& position, const Points& own) {
        int found[5] = {};
        const Points free = position.open | own;
        for (const int step : gomoku::steps) {
            Points room = free, low = own, middle = {}, high = {};
            for (int place = 1; place < 5; ++place) {
                room = room & shifted(free, place * step);
                const Points next = shifted(own, place * step), carry = low & next, carry2 = middle & carry;
                low = (low | next) - carry;
                high = high | carry2;
                middle = (middle | carry) - carry2;
            }
            for (int index = 0; index < Points::words; ++index) {
                const Bits here = room.word[index], one = low.word[index], two = middle.word[index], four = high.word[index];
                found[1] += count(here & one & ~two & ~four);
                found[2] += count(here & two & ~one & ~four);
                found[3] += count(here & one & two & ~four);
                found[4] += count(here & four);
            }
        }
        return reached(ones, found[1]) | reached(twos, found[2]) << 7 | reached(threes, found[3]) << 16 | reached(fours, found[4]) << 22;
    }
};

}  // namespace arena::value
