// Many games of self-play at once. Each round collects the leaves of all their trees into one batch.
#pragma once

#include <optional>

#include "perceptron.hpp"
#include "self_play.hpp"

namespace arena::learning {

// Which games are played. `parallel` of them are played at once; `examples` of them are kept as move texts.
struct ChunkSettings {
    std::size_t games = 1, parallel = 1, examples = 0;
    std::uint64_t seed = 0;
    std::uint32_t generation = 0;
};

// What a chunk of games gave.
struct Harvest {
    std::vector<std::vector<std::uint8_t>> rows;         // of each game
    std::vector<std::vector<std::string>> examples;      // the moves of the first games
    std::uint64_t games = 0, positions = 0, nodes = 0;
};

// Values and logits of a batch by a perceptron.
inline void evaluate(Perceptron& perceptron, Batch& batch) {
    batch.values.resize(batch.size());
    batch.logits.resize(batch.actions.size());
    for (std::size_t leaf = 0; leaf < batch.size(); ++leaf) {
        perceptron.read(batch.leaf(leaf));
        batch.values[leaf] = perceptron.value();
        for (std::size_t at = batch.begin[leaf]; at < batch.begin[leaf + 1]; ++at) batch.logits[at] = perceptron.logit(batch.actions[at]);
    }
}

// Values and logits of a batch from arrays: one value for each leaf, and a row of logits for all actions.
inline void take_arrays(const float* values, const float* logits, int actions, Batch& batch) {
    batch.values.assign(values, values + batch.size());
    batch.logits.resize(batch.actions.size());
    for (std::size_t leaf = 0; leaf < batch.size(); ++leaf)
        for (std::size_t at = batch.begin[leaf]; at < batch.begin[leaf + 1]; ++at)
            batch.logits[at] = logits[leaf * static_cast<std::size_t>(actions) + static_cast<std::size_t>(batch.actions[at])];
}

template <search::SearchGame Game>
class Forest {
    using Board = typename Game::Board;

public:
    // The games begin at the start positions in turn. Each depends only on the weights and on its own seed.
    Forest(const PlaySettings& settings, const ChunkSettings& chunk, std::vector<Board> starts)
        : starts_(std::move(starts)), shape_(Encoding<Board>::shape(starts_[0])), seed_(chunk.seed) {
        batch_.inputs = shape_.inputs();
        harvest_.rows.resize(chunk.games);
        harvest_.examples.resize(std::min(chunk.examples, chunk.games));
        for (std::size_t slot = 0; slot < std::min(chunk.games, chunk.parallel); ++slot) {
            playing_.push_back({std::make_unique<SelfPlay<Game>>(settings, shape_, chunk.generation, &stages_), 0});
            start(playing_.back());
        }
    }
    const Shape& shape() const { return shape_; }
    const Batch& batch() const { return batch_; }
    const Harvest& harvest() const { return harvest_; }
    const Stages& stages() const { return stages_; }

    // Fill the batch; false when all games are over.
    bool collect() {
        const double begun = cpu_now();
        stages_.begin_round();
        batch_.clear();
        for (std::size_t slot = 0; slot < playing_.size();) {
            Player& player = playing_[slot];
            if (player.game->collect(batch_)) {
                ++slot;
                continue;
            }
            harvest(player);
            if (started_ < harvest_.rows.size()) start(player);
            else playing_.erase(playing_.begin() + static_cast<std::ptrdiff_t>(slot));
        }
        stages_.add_cpu(cpu_now() - begun);
        return batch_.size() > 0;
    }

    void expand(const float* values, const float* logits) {
        take_arrays(values, logits, shape_.actions, batch_);
        expand();
    }

    // Play all games with a perceptron. False if it was stopped.
    bool run(Perceptron& perceptron, search::StopCondition& stop) {
        std::uint64_t rounds = 0;
        while (collect()) {
            const double begun = cpu_now();
            stages_.go_on();
            evaluate(perceptron, batch_);
            stages_.lap(Stage::net);
            stages_.add_cpu(cpu_now() - begun);
            expand();
            if (stop.stop(++rounds)) return false;
        }
        return true;
    }

private:
    struct Player {
        std::unique_ptr<SelfPlay<Game>> game;
        std::size_t number;
    };

    void start(Player& player) {
        player.number = started_++;
        player.game->start(starts_[player.number % starts_.size()], mixed(seed_ + mixed(player.number + 1)));
    }
    void expand() {
        const double begun = cpu_now();
        stages_.go_on();
        for (Player& player : playing_) player.game->expand(batch_);
        stages_.add_cpu(cpu_now() - begun);
    }
    void harvest(Player& player) {
        harvest_.rows[player.number] = player.game->finish();
        if (player.number < harvest_.examples.size()) harvest_.examples[player.number] = player.game->texts();
        ++harvest_.games;
        harvest_.positions += static_cast<std::uint64_t>(player.game->positions());
        harvest_.nodes += player.game->take_nodes();
    }

    std::vector<Board> starts_;
    Shape shape_;
    std::uint64_t seed_;
    std::size_t started_ = 0;
    Stages stages_;
    std::vector<Player> playing_;
    Batch batch_;
    Harvest harvest_;
};

}  // namespace arena::learning
