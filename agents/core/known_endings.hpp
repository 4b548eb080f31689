// What alpha-beta knows about endings from tables, for games that have them.
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "microchess_endings.hpp"
#include "table.hpp"

namespace arena::search {

// Optional: exact results of positions with few pieces.
template <typename Game>
concept HasEndings = requires(const typename Game::Endings& tables, const typename Game::Board& board) {
    { tables.sure_answer(board) } -> std::same_as<std::optional<endings::Answer>>;
    { Game::Endings::number_of(board.position()) } -> std::same_as<int>;
};

// A known win is worth so much less than one that the search has seen to its end.
inline constexpr int known_win = decided - 300;

template <typename Game>
class KnownEndings {
public:
    static constexpr bool exist = false;
};

template <typename Game>
    requires HasEndings<Game>
class KnownEndings<Game> {
    using Board = typename Game::Board;
    using Move = typename Game::Move;
    using Tables = typename Game::Endings;

public:
    static constexpr bool exist = true;

    void use(std::shared_ptr<const Tables> tables) { tables_ = std::move(tables); }

    // A search begins. Without `used` the tables are not looked at. The table of the root is not looked at below the root:
    // there the search finds its own way among the moves that keep the result.
    void begin(const Board& root, bool used) {
        asked_ = used ? tables_.get() : nullptr;
        root_ = asked_ ? Tables::number_of(root.position()) : -1;
    }

    // The value for the side to move, if it is known; a draw is worth `drawn`.
    bool value(const Board& board, int turn, int drawn, int& value) const {
        if (!asked_) return false;
        const int number = Tables::number_of(board.position());
        if (number < 0 || number == root_) return false;
        const auto known = asked_->sure_answer(board);
        if (!known || board.over()) return false;
        const int win = known_win - known->turns - turn;
        value = known->result == endings::Result::draw ? drawn : known->result == endings::Result::win ? win : -win;
        return true;
    }

    // Move the moves that keep a known win or draw to the front and return their number: all if nothing is known. Of
    // winning moves only those count that come closer to the end of the win.
    int keep(Board& root, Move* moves, int size) const {
        const auto known = asked_ ? asked_->sure_answer(root) : std::nullopt;
        if (!known || known->result == endings::Result::loss) return size;
        const bool wins = known->result == endings::Result::win;
        const int most = wins ? std::max(known->turns - 1, 0) : endings::most_turns;
        int kept = 0;
        for (int index = 0; index < size; ++index) {
            const bool white = root.white();
            root.push(moves[index]);
            bool keeps;
            if (root.over()) {
                const int result = white ? root.result() : -root.result();
                keeps = wins ? result > 0 : result >= 0;
            } else {
                const auto next = asked_->sure_answer(root);
                keeps = next && next->turns <= most &&
                        (next->result == endings::Result::loss || (!wins && next->result == endings::Result::draw));
            }
            root.pop();
            if (keeps) std::swap(moves[kept++], moves[index]);
        }
        return kept ? kept : size;
    }

private:
    std::shared_ptr<const Tables> tables_;
    const Tables* asked_ = nullptr;
    int root_ = -1;
};

}  // namespace arena::search
