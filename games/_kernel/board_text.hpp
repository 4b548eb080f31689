// Texts of rectangular boards and of numbers in moves.
#pragma once

#include <cstdint>
#include <cstddef>
#include <optional>
#include <string_view>

namespace arena {

// The parts of "rows/of/cells side", with the number of passes at the end where a game has passes.
struct BoardText {
    std::string_view cells;  // rows separated by slashes
    std::size_t rows, columns;
    char side;
    std::int8_t passes;

    // Split a text. The slashes are checked, the cells are not.
    static std::optional<BoardText> split(std::string_view text, std::size_t largest, std::string_view sides, bool with_passes) {
        const std::size_t end = text.find(' ');
        if (end == text.npos || text.size() != end + (with_passes ? 4 : 2)) return std::nullopt;
        const std::size_t columns = text.find_first_of("/ "), rows = (end + 1) / (columns + 1);
        if (columns < 1 || columns > largest || rows > largest || rows * (columns + 1) != end + 1) return std::nullopt;
        const char side = text[end + 1], passes = with_passes ? text[end + 3] : '0';
        if (sides.find(side) == sides.npos || passes < '0' || passes > '2') return std::nullopt;
        if (with_passes && text[end + 2] != ' ') return std::nullopt;
        for (std::size_t at = 0; at < end; ++at)
            if ((text[at] == '/') != (at % (columns + 1) == columns)) return std::nullopt;
        return BoardText{text.substr(0, end), rows, columns, side, static_cast<std::int8_t>(passes - '0')};
    }

    // Call `put(row, column, cell)` with each cell. False if it returned false for one of them.
    template <typename Put>
    bool each_cell(Put put) const {
        for (std::size_t at = 0; at < cells.size(); ++at) {
            if (cells[at] == '/') continue;
            if (!put(static_cast<int>(at / (columns + 1)), static_cast<int>(at % (columns + 1)), cells[at])) return false;
        }
        return true;
    }
};

// Remove a number from 0 to 99 from the front of a text; -1 if there is none.
inline int take_number(std::string_view& text) {
    if (text.empty() || text[0] < '0' || text[0] > '9') return -1;
    std::size_t digits = 1;
    if (text[0] != '0' && text.size() > 1 && text[1] >= '0' && text[1] <= '9') digits = 2;
    const int found = digits == 1 ? text[0] - '0' : 10 * (text[0] - '0') + (text[1] - '0');
    text.remove_prefix(digits);
    return found;
}

}  // namespace arena
