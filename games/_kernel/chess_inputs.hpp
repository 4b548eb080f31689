// What the encodings of chess and microchess have in common. games/encoding/chess_games.py is the specification.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "bits.hpp"
#include "chess_verdict.hpp"
#include "encoding.hpp"

namespace arena::boards {

// The index of every move that a queen or a knight could make on an empty board, by from and to, then of every promotion.
template <int files, int ranks>
struct ActionTable {
    static constexpr int squares = files * ranks;
    std::int16_t plain[squares][squares];
    std::int16_t promotion[squares][squares];  // to a knight; bishop, rook and queen follow
    int size = 0;

    constexpr ActionTable() : plain{}, promotion{} {
        for (int start = 0; start < squares; ++start)
            for (int end = 0; end < squares; ++end) {
                const int across = distance(start % files, end % files), along = distance(start / files, end / files);
                const bool straight = across == 0 || along == 0 || across == along, jump = across * along == 2;
                plain[start][end] = static_cast<std::int16_t>(start != end && (straight || jump) ? size++ : -1);
            }
        for (int start = 0; start < squares; ++start)
            for (int end = 0; end < squares; ++end) {
                const bool possible = start / files == ranks - 2 && end / files == ranks - 1 &&
                                      distance(start % files, end % files) <= 1;
                promotion[start][end] = static_cast<std::int16_t>(possible ? size : -1);
                if (possible) size += Piece::QUEEN - Piece::KNIGHT + 1;
            }
    }

private:
    static constexpr int distance(int one, int other) { return one < other ? other - one : one - other; }
};
// The order of the inputs: the planes of the pieces, further planes, castling, and then these. All but the last two are 0
// or 1. `leads` inputs are of the lead in material, where it decides games.
template <int squares, int more_planes, int castlings, int leads>
struct Inputs {
    static constexpr int planes = 12 + more_planes;  // own pawn, knight, bishop, rook, queen, king, then the opponent's
    static constexpr std::array<int, 11> turns_left{1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48};  // at most
    static constexpr std::array<int, 5> quiet{16, 32, 48, 64, 80};                          // at least, in per cent

    static constexpr int castling = planes * squares;           // own, the opponent's
    static constexpr int repetition = castling + castlings;     // the position occurred at least 2, 3, 4 times
    static constexpr int left = repetition + 3;
    static constexpr int quiet_first = left + static_cast<int>(turns_left.size());
    static constexpr int lead = quiet_first + static_cast<int>(quiet.size());  // in material, one of `leads`
    static constexpr int left_share = lead + leads;                            // of the turns up to the limit
    static constexpr int quiet_share = left_share + 1;                         // of the quiet turns that end a game
    static constexpr int size = quiet_share + 1;

    static constexpr Shape shape(int ranks, int files, int actions) { return {planes, ranks, files, size - castling, actions}; }

    // Call `set(index, value)` for each input of the pieces and the counters that is not 0. `occurrences` counts this time
    // too; a limit of 0 is no limit. `seen(square)` is the square as the side to move sees it.
    template <typename Position, typename Seen, typename Set>
    static void each(const Position& position, int occurrences, long long limit, Seen seen, Set set) {
        const int own = position.turn, other = !position.turn;
        for (const int color : {own, other})
            for (int number = Piece::PAWN; number <= Piece::KING; ++number)
                for (auto pieces = position.piece[number] & position.side[color]; pieces; pieces &= pieces - 1) {
                    const int plane = number - Piece::PAWN + (color == own ? 0 : Piece::KING);
                    set(plane * squares + seen(std::countr_zero(pieces)), 1.0F);
                }
        for (int times = 2; times <= std::min(occurrences, 4); ++times) set(repetition + times - 2, 1.0F);
        const long long rest = std::max(limit - position.turns(), 0LL);
        for (std::size_t index = 0; index < turns_left.size(); ++index)
            if (limit > 0 && rest <= turns_left[index]) set(left + static_cast<int>(index), 1.0F);
        for (std::size_t index = 0; index < quiet.size(); ++index)
            if (100LL * position.clock >= quiet[index] * Position::quiet_turns) set(quiet_first + static_cast<int>(index), 1.0F);
        if (limit <= 0 || rest > 0)
            set(left_share, limit > 0 ? static_cast<float>(static_cast<double>(rest) / static_cast<double>(limit)) : 1.0F);
        if (position.clock > 0)
            set(quiet_share, static_cast<float>(static_cast<double>(position.clock) / Position::quiet_turns));
    }
};

}  // namespace arena::boards
