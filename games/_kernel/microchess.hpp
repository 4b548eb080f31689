// The rules of microchess. games/microchess.py is the specification; squares are numbered row by row without gaps,
// a1 = 0, b1 = 1, …, d1 = 3, a2 = 4, …, d5 = 19.
//
// Every game's header offers a `Position` (a value: `after(move)`, `key()`) and, for searches, a `Board` with history:
//   Board::Move, Board::max_moves    a move; no position has more of them
//   void push(Move), void pop()      make a legal move; take it back
//   int moves(Move*)                 the legal moves in the contract's order; none when the game is over
//   bool over(), int result()        by the competition's rules; +1 White won, -1 Black won, 0 nobody
//   bool white()                     whether White is to move
//   std::uint64_t key()              equal for positions that repeat each other
//   bool is_capture(Move)
//   int evaluate()                   for the side to move; microchess: material in hundredths of a pawn
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common.hpp"

namespace arena::microchess {

using Squares = std::uint32_t;
using Move = std::uint16_t;  // from, to << 5, promotion << 10; `null_move` is a turn without a move
inline constexpr Move null_move = 0;
inline constexpr int most_moves = 256;

// The numbers of python-chess.
enum Piece : int { NOTHING, PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING };
enum Side : int { BLACK, WHITE };

enum class Verdict { none, checkmate, insufficient_material, stalemate, fifty_turns, repetition, turn_limit };

inline constexpr int files = 4, ranks = 5, squares = 20, quiet_turns = 50, times = 5;
inline constexpr int worth[7] = {0, 1, 3, 3, 5, 10, 4};

constexpr Squares bit(int square) { return Squares{1} << square; }
constexpr Squares everywhere = bit(squares) - 1, a_file = 0x11111, d_file = 0x88888, back_ranks = 0xF000F;
constexpr Squares dark = 0x5A5A5;  // a1 is dark

constexpr int from(Move move) { return move & 31; }
constexpr int to(Move move) { return move >> 5 & 31; }
constexpr int promotion(Move move) { return move >> 10; }
constexpr Move coded(int from, int to, int promotion = NOTHING) {
    return static_cast<Move>(from | to << 5 | promotion << 10);
}

// The one castling of a side; the rook lands on the square that the king crosses.
struct Castling {
    int king, king_to, rook, rook_to;
    Squares between, path;
};
inline constexpr Castling castlings[2] = {{16, 18, 19, 17, 0x60000, 0x70000}, {3, 1, 0, 2, 0x6, 0xE}};

struct Magic {
    Squares mask;
    Squares factor;
};

// Which squares a piece sees from each square. Lines depend on what stands in the way: the relevant squares times a
// factor, found by trial, give the place in a table.
struct Sight {
    static constexpr int rook_bits = 5, bishop_bits = 3;
    Squares knight[squares]{}, king[squares]{}, pawn[2][squares]{};
    Squares between[squares][squares]{}, line[squares][squares]{};
    Magic rook_magic[squares]{}, bishop_magic[squares]{};
    Squares rook[squares][1 << rook_bits]{}, bishop[squares][1 << bishop_bits]{};

    constexpr Sight() {
        for (int square = 0; square < squares; ++square) {
            leap(square);
            for (int other = 0; other < squares; ++other) connect(square, other);
            enumerate(rook[square], rook_magic[square], square, straight, rook_bits);
            enumerate(bishop[square], bishop_magic[square], square, diagonal, bishop_bits);
        }
    }

    // Two opposite ways each.
    static constexpr int straight[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    static constexpr int diagonal[4][2] = {{1, 1}, {-1, -1}, {1, -1}, {-1, 1}};

    // The square so far away, or none.
    static constexpr Squares step(int square, int file, int rank) {
        file += square % files, rank += square / files;
        return file >= 0 && file < files && rank >= 0 && rank < ranks ? bit(rank * files + file) : 0;
    }

    static constexpr Squares seen(int square, const int (&ways)[4][2], Squares occupied) {
        Squares found = 0;
        for (const auto& way : ways)
            for (int far = 1; far < ranks; ++far) {
                const Squares here = step(square, far * way[0], far * way[1]);
                found |= here;
                if (!here || here & occupied) break;
            }
        return found;
    }

    constexpr void leap(int square) {
        for (int file = -2; file <= 2; ++file)
            for (int rank = -2; rank <= 2; ++rank) {
                const int size = file * file + rank * rank;
                if (size == 5) knight[square] |= step(square, file, rank);
                if (size == 1 || size == 2) king[square] |= step(square, file, rank);
            }
        pawn[WHITE][square] = step(square, -1, 1) | step(square, 1, 1);
        pawn[BLACK][square] = step(square, -1, -1) | step(square, 1, -1);
    }

    constexpr void connect(int one, int other) {
        for (const auto& ways : {straight, diagonal})
            for (int way = 0; way < 4; way += 2) {
                Squares path = 0;
                const Squares line_here = ray(one, ways[way]) | ray(one, ways[way + 1]) | bit(one);
                for (int end = way; end < way + 2; ++end)
                    if (ray(one, ways[end]) & bit(other)) {
                        for (int far = 1; !(step(one, far * ways[end][0], far * ways[end][1]) & bit(other)); ++far)
                            path |= step(one, far * ways[end][0], far * ways[end][1]);
                        between[one][other] = path;
                        line[one][other] = line_here;
                    }
            }
    }

    static constexpr Squares ray(int square, const int (&way)[2]) {
        Squares found = 0;
        for (int far = 1; far < ranks; ++far) found |= step(square, far * way[0], far * way[1]);
        return found;
    }

    // A last square of a line is seen whatever stands there, so it is not relevant.
    static constexpr Squares relevant(int square, const int (&ways)[4][2]) {
        Squares found = 0;
        for (const auto& way : ways)
            for (int far = 1; far < ranks; ++far)
                if (step(square, (far + 1) * way[0], (far + 1) * way[1]))
                    found |= step(square, far * way[0], far * way[1]);
        return found;
    }

    static constexpr void enumerate(Squares* table, Magic& magic, int square, const int (&ways)[4][2], int bits) {
        magic.mask = relevant(square, ways);
        std::uint64_t seed = 1;
        while (true) {
            for (int place = 0; place < 1 << bits; ++place) table[place] = 0;
            ++seed;
            magic.factor = static_cast<Squares>(mixed(seed) & mixed(seed + 1000));
            bool fits = true;
            Squares occupied = 0;
            do {
                Squares& place = table[occupied * magic.factor >> (32 - bits)];
                const Squares found = seen(square, ways, occupied);
                fits = place == 0 || place == found;
                place = found;
                occupied = (occupied - magic.mask) & magic.mask;
            } while (occupied && fits);
            if (fits) return;
        }
    }
};

inline constexpr Sight sight{};

inline Squares rook_sight(int square, Squares occupied) {
    const Magic& magic = sight.rook_magic[square];
    return sight.rook[square][(occupied & magic.mask) * magic.factor >> (32 - Sight::rook_bits)];
}
inline Squares bishop_sight(int square, Squares occupied) {
    const Magic& magic = sight.bishop_magic[square];
    return sight.bishop[square][(occupied & magic.mask) * magic.factor >> (32 - Sight::bishop_bits)];
}

inline int first(Squares set) { return std::countr_zero(set); }
inline int next(Squares& set) {
    const int square = first(set);
    set &= set - 1;
    return square;
}

// All squares that pawns of a side attack.
inline Squares pawn_sight(Squares pawns, int side) {
    return side == WHITE ? ((pawns & ~a_file) << 3 | (pawns & ~d_file) << 5) & everywhere
                         : (pawns & ~a_file) >> 5 | (pawns & ~d_file) >> 3;
}

struct Keys {
    std::uint64_t piece[2][7][squares]{}, rights[4]{}, turn{};
    constexpr Keys() {
        std::uint64_t seed = 0x6d6963726f;
        const auto next = [&seed] { return mixed(seed += 0x9E3779B97F4A7C15U); };
        for (auto& side : piece)
            for (auto& kind : side)
                for (auto& key : kind) key = next();
        for (auto& key : rights) key = next();
        turn = next();
    }
};
inline constexpr Keys keys{};

// What legal moves depend on: where the king may not go, where other pieces may, which of them are pinned.
struct Safety {
    int king;
    Squares danger, answers, pinned;
    bool check;
};

// A position with one king each, no pawn on a back rank, and the side that is not to move not in check. Rights to
// castle are those with king and rook in place.
struct Position {
    Squares piece[7]{};  // by number; the first holds the promoted pieces
    Squares side[2]{};
    std::uint8_t turn = WHITE;
    std::uint8_t rights = 0;  // 1 << side
    std::int32_t clock = 0;   // turns without capture or pawn move
    std::int32_t number = 1;
    std::uint64_t hash = 0;

    static Position start();

    Squares occupied() const { return side[0] | side[1]; }
    bool white() const { return turn == WHITE; }
    std::uint64_t key() const { return hash; }
    long long turns() const { return 2LL * (number - 1) + (turn == BLACK); }
    int king(int color) const { return first(piece[KING] & side[color]); }

    int kind(int square) const {
        const Squares here = bit(square);
        for (int number = PAWN; number <= KING; ++number)
            if (piece[number] & here) return number;
        return NOTHING;
    }

    std::uint64_t computed_key() const {
        std::uint64_t sum = keys.rights[rights] ^ (turn == WHITE ? keys.turn : 0);
        for (int color = 0; color < 2; ++color)
            for (int number = PAWN; number <= KING; ++number)
                for (Squares left = piece[number] & side[color]; left;) sum ^= keys.piece[color][number][next(left)];
        return sum;
    }

    bool same(const Position& other) const {
        if (hash != other.hash || turn != other.turn || rights != other.rights) return false;
        bool equal = side[0] == other.side[0] && side[1] == other.side[1];
        for (int number = PAWN; number < KING; ++number) equal &= piece[number] == other.piece[number];
        return equal;
    }

    // The pieces of `color` that attack a square.
    Squares attackers(int color, int square, Squares blocking) const {
        const Squares queens = piece[QUEEN];
        return side[color] & ((sight.knight[square] & piece[KNIGHT]) | (sight.king[square] & piece[KING]) |
                              (sight.pawn[!color][square] & piece[PAWN]) |
                              (rook_sight(square, blocking) & (piece[ROOK] | queens)) |
                              (bishop_sight(square, blocking) & (piece[BISHOP] | queens)));
    }
    bool attacked(int color, int square) const { return attackers(color, square, occupied()) != 0; }
    bool check() const { return attacked(!turn, king(turn)); }

    // All squares that `color` attacks.
    Squares attacks(int color, Squares blocking) const {
        const Squares own = side[color];
        Squares found = pawn_sight(piece[PAWN] & own, color) | sight.king[king(color)];
        for (Squares left = piece[KNIGHT] & own; left;) found |= sight.knight[next(left)];
        for (Squares left = (piece[BISHOP] | piece[QUEEN]) & own; left;) found |= bishop_sight(next(left), blocking);
        for (Squares left = (piece[ROOK] | piece[QUEEN]) & own; left;) found |= rook_sight(next(left), blocking);
        return found;
    }

    Safety safety() const {
        const Squares own = side[turn], other = side[!turn], all = own | other;
        Safety found{first(piece[KING] & own), 0, everywhere, 0, false};
        // Without the king: it cannot hide behind itself.
        found.danger = attacks(!turn, all ^ bit(found.king));
        Squares snipers = other & ((rook_sight(found.king, 0) & (piece[ROOK] | piece[QUEEN])) |
                                   (bishop_sight(found.king, 0) & (piece[BISHOP] | piece[QUEEN])));
        Squares checkers = 0;
        while (snipers) {
            const int sniper = next(snipers);
            const Squares blockers = sight.between[found.king][sniper] & all;
            if (!blockers) checkers |= bit(sniper);
            else if (!(blockers & (blockers - 1))) found.pinned |= blockers & own;
        }
        if (!(found.danger & bit(found.king))) return found;
        found.check = true;
        checkers |= other & ((sight.knight[found.king] & piece[KNIGHT]) | (sight.king[found.king] & piece[KING]) |
                             (sight.pawn[turn][found.king] & piece[PAWN]));
        found.answers = checkers & (checkers - 1) ? 0 : checkers | sight.between[found.king][first(checkers)];
        return found;
    }

    bool may_castle(Squares danger) const {
        const Castling& castling = castlings[turn];
        return rights >> turn & 1 && !(castling.between & occupied()) && !(castling.path & danger);
    }

    Squares pawn_targets(int square) const {
        const Squares empty = ~occupied() & everywhere, here = bit(square);
        Squares steps;
        if (turn == WHITE) {
            steps = here << 4 & empty;
            steps |= (steps & 0x00F00) << 4 & empty;
        } else {
            steps = here >> 4 & empty;
            steps |= (steps & 0x00F00) >> 4 & empty;
        }
        return steps | (sight.pawn[turn][square] & side[!turn]);
    }

    // Where a piece that is no king and no pawn may go but for the safety of the king.
    Squares piece_targets(int number, int square) const {
        const Squares all = occupied();
        switch (number) {
            case KNIGHT: return sight.knight[square] & ~side[turn];
            case BISHOP: return bishop_sight(square, all) & ~side[turn];
            case ROOK: return rook_sight(square, all) & ~side[turn];
            default: return (bishop_sight(square, all) | rook_sight(square, all)) & ~side[turn];
        }
    }

    Squares king_targets(int square) const { return sight.king[square] & ~side[turn]; }

    // Where the piece on `square`, one of the side to move, may go.
    Squares targets(int number, int square, const Safety& safety) const {
        if (number == KING) {
            const Squares steps = king_targets(square) & ~safety.danger;
            return may_castle(safety.danger) ? steps | bit(castlings[turn].king_to) : steps;
        }
        Squares found = (number == PAWN ? pawn_targets(square) : piece_targets(number, square)) & safety.answers;
        return safety.pinned & bit(square) ? found & sight.line[safety.king][square] : found;
    }

    bool promotes(Move move) const { return piece[PAWN] & bit(from(move)) && bit(to(move)) & back_ranks; }

    // Whether the move's squares and promotion fit together; where the piece may go is asked elsewhere.
    bool well_formed(Move move) const {
        if (from(move) >= squares || to(move) >= squares || !(side[turn] & bit(from(move)))) return false;
        const int number = promotion(move);
        return promotes(move) ? number >= KNIGHT && number <= QUEEN : number == NOTHING;
    }
    bool legal(Move move) const {
        return well_formed(move) && targets(kind(from(move)), from(move), safety()) & bit(to(move));
    }
    bool pseudo_legal(Move move) const {
        if (!well_formed(move)) return false;
        const int number = kind(from(move)), square = from(move);
        Squares found = number == PAWN ? pawn_targets(square)
                        : number == KING ? king_targets(square) : piece_targets(number, square);
        if (number == KING && rights >> turn & 1 && may_castle(safety().danger)) found |= bit(castlings[turn].king_to);
        return found & bit(to(move));
    }

    // Castling written with the rook's square, as the king's move.
    Move canonical(Move move) const {
        const Castling& castling = castlings[turn];
        const bool castles = rights >> turn & 1 && move == coded(castling.king, castling.rook);
        return castles ? coded(castling.king, castling.king_to) : move;
    }

    // The legal moves by from, to and promotion, whatever the rules say about the end of the game.
    int moves(Move* into) const {
        const Safety here = safety();
        const Move* start = into;
        for (Squares left = side[turn]; left;) {
            const int square = next(left), number = kind(square);
            const bool pawn = number == PAWN;
            for (Squares ends = targets(number, square, here); ends;) {
                const int end = next(ends);
                if (pawn && bit(end) & back_ranks)
                    for (int made = KNIGHT; made <= QUEEN; ++made) *into++ = coded(square, end, made);
                else
                    *into++ = coded(square, end);
            }
        }
        return static_cast<int>(into - start);
    }

    // How many legal moves there are.
    int count_moves() const {
        const Safety here = safety();
        const Squares own = side[turn], all = own | side[!turn], free = ~own & here.answers;
        const auto kept = [&](int square, Squares ends) {
            return here.pinned & bit(square) ? ends & sight.line[here.king][square] : ends;
        };
        int sum = std::popcount(sight.king[here.king] & ~own & ~here.danger) + may_castle(here.danger);
        for (Squares left = piece[KNIGHT] & own & ~here.pinned; left;)
            sum += std::popcount(sight.knight[next(left)] & free);
        for (Squares left = piece[BISHOP] & own; left;) {
            const int square = next(left);
            sum += std::popcount(kept(square, bishop_sight(square, all) & free));
        }
        for (Squares left = piece[ROOK] & own; left;) {
            const int square = next(left);
            sum += std::popcount(kept(square, rook_sight(square, all) & free));
        }
        for (Squares left = piece[QUEEN] & own; left;) {
            const int square = next(left);
            sum += std::popcount(kept(square, (rook_sight(square, all) | bishop_sight(square, all)) & free));
        }
        for (Squares left = piece[PAWN] & own; left;) {
            const int square = next(left);
            const Squares ends = kept(square, pawn_targets(square) & here.answers);
            sum += std::popcount(ends) + 3 * std::popcount(ends & back_ranks);
        }
        return sum;
    }

    // The position after a move that is at least pseudo-legal; it may lack a king if the move was not legal.
    Position after(Move move) const { return made<true>(move); }

    template <bool keyed>
    Position made(Move move) const {
        Position next = *this;
        const int us = turn, them = !turn, start = microchess::from(move), end = microchess::to(move);
        const Squares leaving = bit(start), arriving = bit(end);
        const int number = kind(start);
        next.clock = clock + 1;
        if (side[them] & arriving) {
            const int taken = kind(end);
            next.piece[taken] ^= arriving;
            next.side[them] ^= arriving;
            next.clock = 0;
            if constexpr (keyed) next.hash ^= keys.piece[them][taken][end];
        }
        next.side[us] ^= leaving | arriving;
        next.piece[number] ^= leaving;
        const int made = promotion(move) ? promotion(move) : number;
        next.piece[made] ^= arriving;
        if constexpr (keyed) next.hash ^= keys.piece[us][number][start] ^ keys.piece[us][made][end];
        // A promoted piece stays one wherever it goes, until it is taken.
        next.piece[0] &= ~(leaving | arriving);
        if (promotion(move) || piece[0] & leaving) next.piece[0] |= arriving;
        if (number == PAWN) next.clock = 0;
        else if (number == KING && (start - end == 2 || end - start == 2)) next.move_rook<keyed>(us);
        if (rights) {
            next.rights = static_cast<std::uint8_t>(rights & kept_rights[start] & kept_rights[end]);
            if constexpr (keyed) next.hash ^= keys.rights[rights] ^ keys.rights[next.rights];
        }
        next.number += us == BLACK;
        next.turn = static_cast<std::uint8_t>(them);
        if constexpr (keyed) next.hash ^= keys.turn;
        return next;
    }

    // The position after a turn without a move.
    Position passed() const {
        Position next = *this;
        ++next.clock;
        next.number += turn == BLACK;
        next.turn ^= 1;
        next.hash ^= keys.turn;
        return next;
    }

    int material(int color) const {
        int sum = 0;
        for (int number = PAWN; number <= KING; ++number)
            sum += worth[number] * std::popcount(piece[number] & side[color]);
        return sum;
    }

    bool insufficient(int color) const {
        const Squares own = side[color], other = side[!color];
        if (own & (piece[PAWN] | piece[ROOK] | piece[QUEEN])) return false;
        // With what the other side has, a mate in its own way could be possible.
        if (own & piece[KNIGHT]) return std::popcount(own) <= 2 && !(other & ~piece[KING] & ~piece[QUEEN]);
        if (own & piece[BISHOP]) {
            const bool alike = !(piece[BISHOP] & dark) || !(piece[BISHOP] & ~dark);
            return alike && !piece[PAWN] && !piece[KNIGHT];
        }
        return true;
    }
    bool insufficient() const { return insufficient(WHITE) && insufficient(BLACK); }

    // The verdict for a caller that knows whether there is a legal move and whether the position repeats.
    template <typename Repeats>
    Verdict verdict(bool stuck, long long limit, Repeats repeats) const {
        if (stuck && check()) return Verdict::checkmate;
        if (insufficient()) return Verdict::insufficient_material;
        if (stuck) return Verdict::stalemate;
        if (clock >= quiet_turns) return Verdict::fifty_turns;
        if (repeats()) return Verdict::repetition;
        return 0 < limit && limit <= turns() ? Verdict::turn_limit : Verdict::none;
    }

    // Who won by this verdict: +1 White, -1 Black, 0 nobody. Material decides all but checkmate.
    int winner(Verdict verdict) const {
        if (verdict == Verdict::checkmate) return turn == WHITE ? -1 : 1;
        const int lead = material(WHITE) - material(BLACK);
        return (lead > 0) - (lead < 0);
    }

    // Whether this is a position in the sense above, so that everything here may be asked of it.
    bool sound() const {
        const Squares all = occupied();
        Squares sum = 0;
        int overlap = (side[0] & side[1]) != 0;
        for (int number = PAWN; number <= KING; ++number) {
            overlap |= (sum & piece[number]) != 0;
            sum |= piece[number];
        }
        if (overlap || sum != all || all & ~everywhere || piece[0] & ~(all ^ piece[KING] ^ piece[PAWN])) return false;
        for (int color = 0; color < 2; ++color) {
            if (std::popcount(piece[KING] & side[color]) != 1) return false;
            const Castling& castling = castlings[color];
            const bool king = piece[KING] & side[color] & bit(castling.king);
            const bool rook = piece[ROOK] & side[color] & bit(castling.rook);
            if (rights >> color & 1 && !(king && rook)) return false;
        }
        return !(piece[PAWN] & back_ranks) && rights < 4 && turn < 2 && !attacked(turn, king(!turn));
    }

private:
    static constexpr std::array<std::uint8_t, squares> kept_rights = [] {
        std::array<std::uint8_t, squares> kept{};
        for (auto& rights : kept) rights = 3;
        for (int color = 0; color < 2; ++color)
            for (int square : {castlings[color].king, castlings[color].rook})
                kept[static_cast<std::size_t>(square)] &= static_cast<std::uint8_t>(~(1 << color));
        return kept;
    }();

    template <bool keyed>
    void move_rook(int color) {
        const auto [king, king_to, start, end, between, path] = castlings[color];
        side[color] ^= bit(start) | bit(end);
        piece[ROOK] ^= bit(start) | bit(end);
        piece[0] &= ~bit(start);
        if constexpr (keyed) hash ^= keys.piece[color][ROOK][start] ^ keys.piece[color][ROOK][end];
    }
};

inline Position Position::start() {
    Position position;
    const int first_rank[4] = {ROOK, BISHOP, KNIGHT, KING};
    for (int file = 0; file < files; ++file) {
        position.piece[first_rank[file]] |= bit(file) | bit(squares - 1 - file);
        position.side[WHITE] |= bit(file);
        position.side[BLACK] |= bit(squares - 1 - file);
    }
    position.piece[PAWN] = bit(7) | bit(12);
    position.side[WHITE] |= bit(7);
    position.side[BLACK] |= bit(12);
    position.rights = 3;
    position.hash = position.computed_key();
    return position;
}

// How many sequences of so many turns there are, whatever the rules say about the end of the game.
inline std::uint64_t perft(const Position& position, int depth) {
    if (depth == 0) return 1;
    if (depth == 1) return static_cast<std::uint64_t>(position.count_moves());
    Move moves[most_moves];
    const int found = position.moves(moves);
    std::uint64_t sum = 0;
    for (int index = 0; index < found; ++index) sum += perft(position.made<false>(moves[index]), depth - 1);
    return sum;
}

// Positions since the last capture or pawn move, as far as repetition goes: there are never more than `quiet_turns`.
class Recent {
public:
    void add(std::uint64_t key) { keys_[size_++ % room] = key; }
    void forget() { size_ = 0; }
    bool repeats(std::uint64_t key) const {
        int found = 1;
        for (std::uint32_t index = size_ > room ? size_ - room : 0; index < size_; ++index)
            found += keys_[index % room] == key;
        return found >= times;
    }

private:
    static constexpr std::uint32_t room = 64;
    std::uint64_t keys_[room];
    std::uint32_t size_ = 0;
};

// Random moves until the game is over: +1 if White won, -1 if Black, 0 if nobody.
inline int playout(Position position, long long limit, Recent recent, Random& dice) {
    Move moves[most_moves];
    while (true) {
        const int found = position.moves(moves);
        const Verdict verdict = position.verdict(found == 0, limit, [&] { return recent.repeats(position.hash); });
        if (verdict != Verdict::none) return position.winner(verdict);
        recent.add(position.hash);
        position = position.after(moves[dice.below(static_cast<std::uint32_t>(found))]);
        if (position.clock == 0) recent.forget();
    }
}

inline constexpr std::string_view letters = ".pnbrqk";

// The text of a move; the null move has none of its own.
inline std::string text(Move move) {
    std::string text;
    for (int square : {from(move), to(move)}) {
        text += static_cast<char>('a' + square % files);
        text += static_cast<char>('1' + square / files);
    }
    if (promotion(move)) text += letters[static_cast<std::size_t>(promotion(move))];
    return text;
}

// The move with this text, castling in either form; whether it is legal is asked elsewhere.
inline std::optional<Move> read(const Position& position, std::string_view text) {
    if (text.size() != 4 && text.size() != 5) return std::nullopt;
    int place[4];
    for (int index = 0; index < 4; ++index) {
        place[index] = text[static_cast<std::size_t>(index)] - (index % 2 ? '1' : 'a');
        if (place[index] < 0 || place[index] >= (index % 2 ? ranks : files)) return std::nullopt;
    }
    const std::size_t made = text.size() == 5 ? letters.find(text[4]) : std::size_t{0};
    if (text.size() == 5 && (made < KNIGHT || made > QUEEN)) return std::nullopt;
    const int start = files * place[1] + place[0], end = files * place[3] + place[2];
    return position.canonical(coded(start, end, static_cast<int>(made)));
}

// The position in one line, as the specification writes it; how long the line is.
inline constexpr std::size_t text_room = 80;
inline std::size_t write(const Position& position, char (&into)[text_room]) {
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
inline std::string text(const Position& position) {
    char text[text_room];
    return std::string(text, write(position, text));
}

// The position of such a text; nothing for a text that is no sound position.
inline std::optional<Position> read(std::string_view text) {
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
    if (!position.sound()) return std::nullopt;
    position.hash = position.computed_key();
    return position;
}

// A position with its history, for searches.
class Board {
public:
    using Move = microchess::Move;
    static constexpr int max_moves = most_moves;

    explicit Board(const Position& position = Position::start(), long long turn_limit = 80)
        : line_{position}, limit_(turn_limit) {}

    const Position& position() const { return line_.back(); }
    void push(Move move) { line_.push_back(position().after(move)); }
    void pop() { line_.pop_back(); }

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
    int evaluate() const {
        const int lead = position().material(WHITE) - position().material(BLACK);
        return 100 * (white() ? lead : -lead);
    }

    // How often the position occurred since the last capture or pawn move, now included.
    int occurrences() const {
        const Position& now = position();
        const std::size_t size = line_.size() - 1;
        const std::size_t back = now.clock < 0 ? 0 : static_cast<std::size_t>(now.clock);
        int found = 1;
        for (std::size_t index = size > back ? size - back : 0; index < size; ++index) found += now.same(line_[index]);
        return found;
    }

private:
    Verdict ended(bool stuck) const {
        const auto repeats = [this] { return position().clock >= times - 1 && occurrences() >= times; };
        return position().verdict(stuck, limit_, repeats);
    }

    std::vector<Position> line_;
    long long limit_;
};

}  // namespace arena::microchess
