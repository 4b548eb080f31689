// The learned value as the leaf evaluation of alpha-beta. The sums of its first layer are updated, not computed anew.
#pragma once

#include "../core/alphabeta.hpp"
#include "value_features.hpp"
#include "value_layers.hpp"

namespace arena::value {

// The weights, arranged for the positions of one game and size of board. Shared by all who play with them.
template <search::SearchGame Game>
class Network {
    using Set = Features<Game>;

public:
    Network(const Weights& weights, const typename Game::Board::Position& position, bool plain)
        : upper(weights), layers(value::layers(plain)), bias_(weights.first_bias.size()) {
        if (weights.game != Game::name) throw BadWeights("these weights are for " + weights.game.substr(0, 16) + ", not " + Game::name);
        if (weights.inputs != Set::size(position)) throw BadWeights("these weights are for another size of board or version of the game");
        std::copy(weights.first_bias.begin(), weights.first_bias.end(), bias_.data());
        const auto size = static_cast<std::size_t>(weights.first);
        for (int view = 0; view < Set::views; ++view) {
            rows_.emplace_back(64 * Set::words * size);
            for (int bit = 0; bit < 64 * Set::words; ++bit) {
                const int feature = Set::feature(position, view, bit);
                if (feature < 0) continue;
                const auto from = weights.first_weights.begin() + feature * weights.first;
                std::copy(from, from + weights.first, rows_.back().data() + static_cast<std::size_t>(bit) * size);
            }
        }
    }

    int size() const { return upper.first; }
    const std::int16_t* bias() const { return bias_.data(); }
    const std::int16_t* row(int view, int bit) const { return rows_[static_cast<std::size_t>(view)].data() + std::size_t(bit) * std::size_t(size()); }

    const Upper upper;
    const Layers& layers;

private:
    Aligned<std::int16_t> bias_;
    std::vector<Aligned<std::int16_t>> rows_;
};

// For each turn of the search, the sums of the position of that turn that was evaluated last. The next position of that
// turn, or the one two turns later, differs from it by a few features.
template <search::SearchGame Game>
class LearnedLeaf {
    using Set = Features<Game>;
    using Board = typename Game::Board;

public:
    static constexpr int margin = 500;  // half a logit; 400 and 800 are as good

    explicit LearnedLeaf(std::shared_ptr<const Network<Game>> network)
        : network_(std::move(network)), sums_(std::size_t{turns} * std::size_t(network_->size())), seen_(turns) {}

    bool evaluate(const Board& board, int turn, int& value) {
        Seen now;
        if (!Set::collect(board, now.bits)) return false;
        now.view = Set::view(board);
        std::int16_t* sums = sums_of(turn);
        network_->layers.update(base(turn, now), sums, network_->size(), changes_);
        seen_[static_cast<std::size_t>(turn)] = now;
        value = network_->layers.value(network_->upper, sums);
        return true;
    }

    std::uint64_t evaluations() const { return evaluations_; }
    std::uint64_t changes() const { return all_changes_; }  // rows that were added or taken away, over all evaluations

private:
    static constexpr int turns = search::deepest + search::further + 1;

    struct Seen {
        Bits bits[Set::words];
        int view = -1;
    };

    std::int16_t* sums_of(int turn) const { return sums_.data() + std::size_t(turn) * std::size_t(network_->size()); }

    static int distance(const Seen& one, const Seen& other) {
        int sum = 0;
        for (int word = 0; word < Set::words; ++word) sum += count(one.bits[word] ^ other.bits[word]);
        return sum;
    }

    // The sums to start from, those that need the fewest changes; the changes are noted.
    const std::int16_t* base(int turn, const Seen& now) {
        const Seen nothing{};
        const Seen* best = &nothing;
        const std::int16_t* sums = network_->bias();
        int least = distance(now, nothing);
        for (const int other : {turn, turn - 2}) {
            if (other < 0 || seen_[static_cast<std::size_t>(other)].view != now.view) continue;
            const Seen& seen = seen_[static_cast<std::size_t>(other)];
            const int changes = distance(now, seen);
            if (changes < least) least = changes, best = &seen, sums = sums_of(other);
        }
        ++evaluations_;
        all_changes_ += static_cast<std::uint64_t>(least);
        note_changes(*best, now);
        return sums;
    }

    void note_changes(const Seen& before, const Seen& now) {
        changes_.additions = changes_.removals = 0;
        for (int word = 0; word < Set::words; ++word) {
            for (Bits left = now.bits[word] & ~before.bits[word]; left;)
                changes_.added[changes_.additions++] = network_->row(now.view, 64 * word + take(left));
            for (Bits left = before.bits[word] & ~now.bits[word]; left;)
                changes_.removed[changes_.removals++] = network_->row(now.view, 64 * word + take(left));
        }
    }

    std::shared_ptr<const Network<Game>> network_;
    Aligned<std::int16_t> sums_;
    std::vector<Seen> seen_;
    Changes changes_;
    std::uint64_t evaluations_ = 0, all_changes_ = 0;
};

}  // namespace arena::value
