// Tables of microchess endings with few pieces: what is in them, and where. agents/endings/table.py is the specification.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "microchess.hpp"

namespace arena::endings {

using microchess::Position;
using microchess::Squares;

inline constexpr int most_men = 4, most_others = most_men - 2;

// Who wins for the side to move, and from how many turns left on that is so. `unknown`: it depends on their number.
enum class Result : std::uint8_t { unknown, loss, draw, win };
struct Answer {
    Result result = Result::unknown;
    int turns = 0;

    bool operator==(const Answer&) const = default;
};
inline constexpr int most_turns = 63;
constexpr std::uint8_t to_byte(Answer answer) {
    return static_cast<std::uint8_t>(static_cast<int>(answer.result) << 6 | answer.turns);
}
constexpr Answer from_byte(std::uint8_t byte) { return {static_cast<Result>(byte >> 6), byte & 63}; }

// The pieces beside the kings: White's first, the most valuable first. White never has less than Black.
struct Material {
    std::array<std::int8_t, most_others> piece{};
    int white = 0, black = 0;  // how many of them

    int others() const { return white + black; }
    int pawns() const { return static_cast<int>(std::count(piece.begin(), piece.begin() + others(), microchess::PAWN)); }
    bool operator==(const Material&) const = default;
    int code() const {
        int sum = white;
        for (const int kind : piece) sum = 6 * sum + kind;
        return 3 * sum + black;
    }
};
inline constexpr int material_codes = 3 * 6 * 6 * 3;

// The two kings, the white one on the files a and b, and not next to each other: there are 135 such pairs.
struct KingPairs {
    std::int16_t index[microchess::squares][microchess::squares];
    std::array<std::pair<int, int>, 135> pair{};
    constexpr KingPairs() : index() {
        int size = 0;
        for (int white = 0; white < microchess::squares; ++white)
            for (int black = 0; black < microchess::squares; ++black) {
                const bool apart = white != black && !(microchess::attacks_from.king[white] >> black & 1);
                index[white][black] = -1;
                if (white % 4 >= 2 || !apart) continue;
                pair[static_cast<std::size_t>(size)] = {white, black};
                index[white][black] = static_cast<std::int16_t>(size++);
            }
    }
};
inline constexpr KingPairs king_pairs{};

// A position as the tables see it: with colours exchanged if Black has more, mirrored if the white king is on the right.
struct Place {
    Material material;
    std::uint32_t index = 0;
    bool flipped = false;  // the colours are exchanged
};

inline std::uint32_t size_of(const Material& material) {
    std::uint32_t size = 2 * static_cast<std::uint32_t>(king_pairs.pair.size());
    for (int other = 0; other < material.others(); ++other) size *= microchess::squares;
    return size;
}

// Nothing where there is no table: too many pieces, none beside the kings, or a right to castle.
inline std::optional<Place> place_of(const Position& position) {
    if (position.rights || std::popcount(position.occupied()) > most_men) return std::nullopt;
    struct Man {
        int piece, square;
    };
    Man men[2][most_others];
    int size[2] = {0, 0};
    for (int color = 0; color < 2; ++color)
        for (int piece = microchess::QUEEN; piece >= microchess::PAWN; --piece)
            for (Squares left = position.piece[piece] & position.side[color]; left;) {
                if (size[color] == most_others) return std::nullopt;
                men[color][size[color]++] = {piece, take(left)};
            }
    int first = microchess::WHITE;
    if (size[0] > size[1]) first = microchess::BLACK;
    else if (size[0] == size[1] && size[0] && men[0][0].piece > men[1][0].piece) first = microchess::BLACK;
    const bool flipped = first == microchess::BLACK;
    const auto turned = [flipped](int square) { return flipped ? square % 4 + 4 * (4 - square / 4) : square; };
    const int white_king = turned(position.king(first)), mirror = white_king % 4 >= 2 ? 3 : 0;
    Place place;
    place.flipped = flipped;
    place.material.white = size[first], place.material.black = size[!first];
    const int kings = king_pairs.index[white_king ^ mirror][turned(position.king(!first)) ^ mirror];
    if (kings < 0 || place.material.others() == 0) return std::nullopt;
    place.index = static_cast<std::uint32_t>(kings);
    int squares[most_others], number = 0;
    for (const int color : {first, 1 - first})
        for (int man = 0; man < size[color]; ++man, ++number) {
            place.material.piece[static_cast<std::size_t>(number)] = static_cast<std::int8_t>(men[color][man].piece);
            squares[number] = turned(men[color][man].square) ^ mirror;
        }
    // Of two equal pieces the lower square comes first.
    if (size[first] == 2 && men[first][0].piece == men[first][1].piece && squares[0] > squares[1]) std::swap(squares[0], squares[1]);
    for (int man = 0; man < number; ++man) place.index = place.index * microchess::squares + static_cast<std::uint32_t>(squares[man]);
    place.index = 2 * place.index + (position.white() != flipped);
    return place;
}

// All materials in an order in which every capture and promotion leads to an earlier one.
inline std::vector<Material> all_materials() {
    std::vector<Material> found;
    const auto add = [&found](int white, int black, std::int8_t one, std::int8_t other) {
        found.push_back({{one, other}, white, black});
    };
    for (std::int8_t one = microchess::PAWN; one <= microchess::QUEEN; ++one) {
        add(1, 0, one, 0);
        for (std::int8_t other = microchess::PAWN; other <= one; ++other) add(2, 0, one, other), add(1, 1, one, other);
    }
    std::stable_sort(found.begin(), found.end(), [](const Material& one, const Material& other) {
        return std::pair(one.others(), one.pawns()) < std::pair(other.others(), other.pawns());
    });
    return found;
}

// Where the table of each material begins in a file of all tables.
struct Layout {
    std::vector<Material> materials = all_materials();
    std::vector<std::uint32_t> begin;
    std::array<std::int16_t, material_codes> number{};
    std::uint32_t size = 0;

    Layout() {
        number.fill(-1);
        for (const Material& material : materials) {
            number[static_cast<std::size_t>(material.code())] = static_cast<std::int16_t>(begin.size());
            begin.push_back(size);
            size += size_of(material);
        }
    }
    int number_of(const Material& material) const { return number[static_cast<std::size_t>(material.code())]; }
};
inline const Layout& layout() {
    static const Layout made;
    return made;
}

// The tables of all endings, one byte for each position.
class Tables {
public:
    // Nothing if the bytes are not those of all tables.
    static std::optional<Tables> of(std::string_view bytes) {
        if (bytes.size() != layout().size) return std::nullopt;
        return Tables(bytes);
    }

    // The number of the table with this position; -1 if there is none.
    static int number_of(const Position& position) {
        if (std::popcount(position.occupied()) > most_men) return -1;
        const auto place = place_of(position);
        return place ? layout().number_of(place->material) : -1;
    }
    std::optional<Answer> answer(const Position& position) const {
        const auto place = place_of(position);
        if (!place) return std::nullopt;
        const auto begin = layout().begin[static_cast<std::size_t>(layout().number_of(place->material))];
        return from_byte(bytes_[begin + place->index]);
    }
    // The answer, if it holds in this game whatever the players do: see agents/endings/table.py.
    std::optional<Answer> sure_answer(const microchess::Board& board) const {
        const Position& position = board.position();
        if (std::popcount(position.occupied()) > most_men) return std::nullopt;
        const auto found = answer(position);
        if (!found || found->result == Result::unknown) return std::nullopt;
        const long long left = board.turn_limit() > 0 ? board.turn_limit() - board.turns() : most_turns;
        if (std::min(left, static_cast<long long>(Position::quiet_turns - position.clock)) < found->turns) return std::nullopt;
        if (found->turns && position.clock >= 12 && board.most_occurrences() >= Position::most_repetitions - 1) return std::nullopt;
        return found;
    }

private:
    explicit Tables(std::string_view bytes) : bytes_(bytes.begin(), bytes.end()) {}

    std::vector<std::uint8_t> bytes_;
};

}  // namespace arena::endings
