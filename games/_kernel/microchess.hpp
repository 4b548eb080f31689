// The rules of microchess. games/microchess.py is the specification.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "game_concept.hpp"
#include "microchess_position.hpp"
#include "position_stack.hpp"

namespace arena::microchess {

// The number of sequences of `depth` turns. The competition's rules for the end of a game do not apply.
inline std::uint64_t perft(const Position& position, int depth) {
    if (depth == 0) return 1;
    if (depth == 1) return static_cast<std::uint64_t>(position.count_moves());
    Move moves[Position::max_moves];
    const int found = position.moves(moves);
    std::uint64_t sum = 0;
    for (int index = 0; index < found; ++index) sum += perft(position.made<false>(moves[index]), depth - 1);
    return sum;
}

// The keys of the positions since the last capture or pawn move. There are never more than `quiet_turns`.
class RecentKeys {
public:
    void add(std::uint64_t key) { keys_[size_++ % room] = key; }
    void clear() { size_ = 0; }
    bool repeats(std::uint64_t key) const {
        int found = 1;
        for (std::uint32_t index = size_ > room ? size_ - room : 0; index < size_; ++index)
            found += keys_[index % room] == key;
        return found >= most_repetitions;
    }

private:
    static constexpr std::uint32_t room = 64;
    std::uint64_t keys_[room];
    std::uint32_t size_ = 0;
};

// Play random moves until the game is over: +1 White won, -1 Black won, 0 nobody.
inline int playout(Position position, long long limit, RecentKeys recent, Random& random) {
    Move moves[Position::max_moves];
    while (true) {
        const int found = position.moves(moves);
        const Verdict verdict = position.verdict(found == 0, limit, [&] { return recent.repeats(position.hash); });
        if (verdict != Verdict::none) return position.winner(verdict);
        recent.add(position.hash);
        position = position.after(moves[random.below(static_cast<std::uint32_t>(found))]);
        if (position.clock == 0) recent.clear();
    }
}

inline constexpr std::string_view letters = ".pnbrqk";

// The text of a move. The null move has no text of its own.
inline std::string move_text(Move move) {
    std::string text;
    for (int square : {from(move), to(move)}) {
        text += static_cast<char>('a' + square % files);
        text += static_cast<char>('1' + square / files);
    }
    if (promotion(move)) text += letters[static_cast<std::size_t>(promotion(move))];
    return text;
}

inline std::string move_text(const Position&, Move move) { return move_text(move); }

// The legal move with this text, castling in either form, even if the game is over by the competition's rules.
inline std::optional<Move> read_move(const Position& position, std::string_view text) {
    if (text.size() != 4 && text.size() != 5) return std::nullopt;
    int place[4];
    for (int index = 0; index < 4; ++index) {
        place[index] = text[static_cast<std::size_t>(index)] - (index % 2 ? '1' : 'a');
        if (place[index] < 0 || place[index] >= (index % 2 ? ranks : files)) return std::nullopt;
    }
    const std::size_t made = text.size() == 5 ? letters.find(text[4]) : std::size_t{0};
    if (text.size() == 5 && (made < KNIGHT || made > QUEEN)) return std::nullopt;
    const int start = files * place[1] + place[0], end = files * place[3] + place[2];
    const Move move = position.canonical(make_move(start, end, static_cast<int>(made)));
    return position.legal(move) ? std::optional(move) : std::nullopt;
}

// Write the position as 4x5 FEN and return the length of the text.
inline constexpr std::size_t text_room = 80;
inline std::size_t write_text(const Position& position, char (&into)[text_room]) {
    constexpr const char* rights[4] = {"-", "k", "Q", "Qk"};
    char* end = into;
    for (int rank = ranks - 1; rank >= 0; --rank) {
        char empty = '0';
        for (int file = 0; file < files; ++file) {
            const int square = files * rank + file, number = position.kind(square);
            if (!number) {
                ++empty;
                continue;
            }
            if (empty != '0') *end++ = std::exchange(empty, '0');
            const char letter = letters[static_cast<std::size_t>(number)];
            *end++ = position.side[WHITE] & bit(square) ? static_cast<char>(letter - 'a' + 'A') : letter;
        }
        if (empty != '0') *end++ = empty;
        *end++ = rank ? '/' : ' ';
    }
    const auto board = static_cast<std::size_t>(end - into);
    const int rest = std::snprintf(end, text_room - board, "%c %s - %d %d", position.white() ? 'w' : 'b',
                                   rights[position.rights], position.clock, position.number);
    return board + static_cast<std::size_t>(rest);
}
inline std::string position_text(const Position& position) {
    char text[text_room];
    return std::string(text, write_text(position, text));
}

// The position with this text; empty if the text or the position is not valid.
inline std::optional<Position> read_position(std::string_view text) {
    Position position;
    const std::size_t end = text.find(' ');
    int file = 0, rank = ranks - 1;
    for (const char letter : text.substr(0, end)) {
        if (letter == '/') {
            if (file != files || rank-- == 0) return std::nullopt;
            file = 0;
        } else if (letter >= '1' && letter <= '4') {
            file += letter - '0';
        } else {
            const bool white = letter >= 'A' && letter <= 'Z';
            const std::size_t number = letters.find(white ? static_cast<char>(letter - 'A' + 'a') : letter);
            if (number == letters.npos || number == NOTHING || file >= files) return std::nullopt;
            position.piece[number] |= bit(files * rank + file);
            position.side[white] |= bit(files * rank + file++);
        }
        if (file > files) return std::nullopt;
    }
    if (rank || file != files || end == text.npos) return std::nullopt;
    char side = 0, castling[3] = "", rest[2] = "";
    const std::string fields(text.substr(end));
    const int read = std::sscanf(fields.c_str(), " %c %2s - %9d %9d %1s", &side, castling, &position.clock,
                                 &position.number, rest);
    if (read != 4 || position.clock < 0) return std::nullopt;
    if (side != 'w' && side != 'b') return std::nullopt;
    position.turn = side == 'w' ? WHITE : BLACK;
    for (const char letter : std::string_view(castling)) {
        if (letter == 'K' || letter == 'Q') position.rights |= 1 << WHITE;
        else if (letter == 'k' || letter == 'q') position.rights |= 1 << BLACK;
        else if (letter != '-') return std::nullopt;
    }
    if (!position.is_valid()) return std::nullopt;
    position.hash = position.computed_key();
    return position;
}

// A game in progress, for searches.
class Board : public PositionStack<Position> {
public:
    explicit Board(const Position& position = Position::start(), long long turn_limit = 80)
        : PositionStack(position), limit_(turn_limit) {}

    int moves(Move* into) const {
        const int found = position().moves(into);
        return found && ended(false) == Verdict::none ? found : 0;
    }
    Verdict verdict() const { return ended(position().count_moves() == 0); }
    bool over() const { return verdict() != Verdict::none; }
    int result() const { return position().winner(verdict()); }
    bool white() const { return position().white(); }
    std::uint64_t key() const { return position().key(); }
    long long turns() const { return position().turns(); }
    long long turn_limit() const { return limit_; }
    bool is_capture(Move move) const { return position().side[!position().turn] & bit(to(move)); }
    // For the side to move: its lead in material, in hundredths of a pawn.
    int evaluate() const {
        const int lead = position().material(WHITE) - position().material(BLACK);
        return 100 * (white() ? lead : -lead);
    }

    // How often the position occurred since the last capture or pawn move, this time included.
    int occurrences() const {
        const Position& now = position();
        const std::size_t size = positions_.size() - 1;
        const std::size_t back = now.clock < 0 ? 0 : static_cast<std::size_t>(now.clock);
        int found = 1;
        for (std::size_t index = size > back ? size - back : 0; index < size; ++index) found += now.same(positions_[index]);
        return found;
    }

private:
    Verdict ended(bool no_moves) const {
        const auto repeats = [this] { return position().clock >= most_repetitions - 1 && occurrences() >= most_repetitions; };
        return position().verdict(no_moves, limit_, repeats);
    }

    long long limit_;
};

static_assert(KernelPosition<Position>);
static_assert(GameBoard<Board>);

}  // namespace arena::microchess
