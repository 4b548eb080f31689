// Samples for the memory: packed rows of a fixed size. agents/self_learning/rows.py has the same layout as a numpy type.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <vector>

#include "encoding.hpp"

namespace arena::learning {

// What the search said about one position.
struct Finding {
    const float* inputs;
    const std::vector<int>& actions;      // of all legal moves
    const std::vector<double>& policy;    // the share of each
    double root;                          // value of the root for the side to move
    double surprise;                      // divergence of the policy from the prior
    int turn;
    bool white, full;
};

// The samples of one game. Result, margin and weight are filled in when the game is over.
class Samples {
public:
    Samples(const Shape& shape, int width, std::uint32_t generation)
        : shape_(shape), width_(static_cast<std::size_t>(width)), generation_(generation) {}

    static std::size_t row_size(const Shape& shape, int width) {
        return packed(shape) + 4 * static_cast<std::size_t>(shape.scalars) + 4 * static_cast<std::size_t>(width) + 20;
    }
    static constexpr std::uint16_t no_move = 65535;

    void clear() {
        rows_.clear();
        notes_.clear();
    }

    // planes as bits, scalars, moves, policy, then the tail: root, margin, weight, generation, turn, result, full.
    void add(const Finding& finding) {
        const std::size_t begin = rows_.size();
        rows_.resize(begin + row_size(shape_, static_cast<int>(width_)));
        std::uint8_t* at = rows_.data() + begin;
        const int cells = shape_.planes * shape_.cells();
        for (int cell = 0; cell < cells; ++cell)
            if (finding.inputs[cell] != 0) at[cell / 8] |= static_cast<std::uint8_t>(128 >> cell % 8);
        at += packed(shape_);
        const std::size_t scalars = 4 * static_cast<std::size_t>(shape_.scalars);
        std::memcpy(at, finding.inputs + cells, scalars);
        at += scalars;
        write_policy(finding, at);
        at += 4 * width_;
        put(at, static_cast<float>(finding.root));
        put(at + 12, generation_);
        put(at + 16, static_cast<std::uint16_t>(finding.turn));
        at[19] = finding.full;
        notes_.push_back({finding.white, finding.full, finding.surprise});
    }

    // `result` is +1 if White won, -1 if Black won; `margin` is White's. `share` of the weight follows the surprise.
    std::vector<std::uint8_t> finish(int result, double margin, double share) {
        double sum = 0;
        int full = 0;
        for (const Note& note : notes_)
            if (note.full) sum += note.surprise, ++full;
        const std::size_t size = row_size(shape_, static_cast<int>(width_));
        for (std::size_t index = 0; index < notes_.size(); ++index) {
            const Note& note = notes_[index];
            std::uint8_t* tail = rows_.data() + (index + 1) * size - 20;
            const double weight = note.full && sum > 0 ? 1 - share + share * note.surprise * full / sum : 1.0;
            put(tail + 4, static_cast<float>(note.white ? margin : -margin));
            put(tail + 8, static_cast<float>(weight));
            tail[18] = static_cast<std::uint8_t>(static_cast<std::int8_t>(note.white ? result : -result));
        }
        notes_.clear();
        return std::exchange(rows_, {});
    }

private:
    struct Note {
        bool white, full;
        double surprise;
    };

    static std::size_t packed(const Shape& shape) { return static_cast<std::size_t>(shape.planes * shape.cells() + 7) / 8; }
    template <typename Number>
    static void put(std::uint8_t* at, Number number) {
        std::memcpy(at, &number, sizeof number);
    }

    // Actions and shares as 16-bit numbers. With too many moves the least likely are left out.
    void write_policy(const Finding& finding, std::uint8_t* at) const {
        std::vector<std::size_t> order(finding.actions.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        if (order.size() > width_) {
            std::stable_sort(order.begin(), order.end(), [&](std::size_t one, std::size_t other) { return finding.policy[one] > finding.policy[other]; });
            order.resize(width_);
        }
        for (std::size_t index = 0; index < width_; ++index) {
            const bool used = index < order.size();
            put(at + 2 * index, used ? static_cast<std::uint16_t>(finding.actions[order[index]]) : no_move);
            const double share = used ? finding.policy[order[index]] : 0;
            put(at + 2 * (width_ + index), static_cast<std::uint16_t>(std::lround(65535 * share)));
        }
    }

    Shape shape_;
    std::size_t width_;
    std::uint32_t generation_;
    std::vector<std::uint8_t> rows_;
    std::vector<Note> notes_;
};

}  // namespace arena::learning
