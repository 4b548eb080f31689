// The base of boards that keep every position of the game in progress.
#pragma once

#include <vector>

namespace arena {

template <typename Value>
class PositionStack {
public:
    using Position = Value;
    using Move = typename Position::Move;
    static constexpr int max_moves = Position::max_moves;

    explicit PositionStack(const Position& position) { positions_.push_back(position); }

    const Position& position() const { return positions_.back(); }
    void push(Move move) { positions_.push_back(position().after(move)); }
    void pop() { positions_.pop_back(); }

protected:
    std::vector<Position> positions_;
};

}  // namespace arena
