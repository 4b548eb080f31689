// The bases of boards that keep every position of the game in progress.
#pragma once

#include <cstdint>
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

// For a position that decides alone, without a history, whether the game is over.
template <typename Value>
class SelfContainedBoard : public PositionStack<Value> {
public:
    using PositionStack<Value>::PositionStack;
    using PositionStack<Value>::position;

    int moves(typename Value::Move* into) const { return legal_moves(position(), into); }
    bool over() const { return position().over(); }
    int result() const { return position().leader(); }
    bool white() const { return position().white; }
    std::uint64_t key() const { return position().key(); }
};

}  // namespace arena
