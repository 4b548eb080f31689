// The evaluation at the leaves of alpha-beta, as an object that the search owns.
#pragma once

#include <concepts>

#include "search_concept.hpp"

namespace arena::search {

// `turn` is the distance from the root, from 0 to the deepest turn of the search. Positions that are evaluated one after
// the other are close to each other, above all those of the same turn: an evaluation may update what it computed last.
// `margin` is what a quiet turn of the opponent hardly ever takes away, in the unit of the value; 0: that is not known.
template <typename Leaf, typename Game>
concept LeafEvaluation = std::move_constructible<Leaf> &&
    requires(Leaf& leaf, const typename Game::Board& board, int turn, int& value) {
        { Leaf::margin } -> std::convertible_to<int>;
        { leaf.evaluate(board, turn, value) } -> std::same_as<bool>;  // false if the game is over; for the side to move
    };

// The evaluation made by hand, which needs only the position.
template <SearchGame Game>
struct StaticLeaf {
    static constexpr int margin = PassesToPrune<Game> ? 90 : 0;
    bool evaluate(const typename Game::Board& board, int, int& value) const { return Game::evaluate(board, value); }
};

}  // namespace arena::search
