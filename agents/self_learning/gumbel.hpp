// Gumbel selection at the root: a few moves are drawn without replacement and compared by sequential halving. It finds a
// better move than the policy even with fewer simulations than moves, so it suits games with many moves.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "random_numbers.hpp"

namespace arena::learning {

// A move of the root as a search sees it.
struct Edge {
    double logit;          // logarithm of the prior
    double mean;           // for the side to move; the value of the root if the move was not visited
    std::uint32_t visits;  // with a value
    std::uint32_t tries;   // those that wait for a value included
};

class Gumbel {
public:
    void begin(const std::vector<Edge>& edges, int considered, int simulations, Random* random) {
        noise_.clear();
        before_.clear();
        for (const Edge& edge : edges) {
            noise_.push_back(random ? gumbel(*random) : 0.0);
            before_.push_back(edge.visits);
        }
        made_ = 0;
        plan(std::min(considered, static_cast<int>(edges.size())), std::max(simulations, 1));
    }

    // The move of the next simulation: the best of those that have as many visits as the plan says.
    int next(const std::vector<Edge>& edges) {
        const std::uint32_t wanted = plan_[std::min(made_, plan_.size() - 1)];
        ++made_;
        const int found = best_with(edges, wanted);
        return found >= 0 ? found : best(edges);
    }

    // The move to play: the best of those with most visits.
    int best(const std::vector<Edge>& edges) const {
        std::uint32_t most = 0;
        for (std::size_t index = 0; index < edges.size(); ++index) most = std::max(most, tries(edges, index));
        return best_with(edges, most);
    }

    // The policy that the search suggests: the prior, changed by the values. Unvisited moves count as the root.
    std::vector<double> improved_policy(const std::vector<Edge>& edges) const {
        std::vector<double> shares;
        double top = -HUGE_VAL, sum = 0;
        const Scale scale(edges);
        for (const Edge& edge : edges) shares.push_back(edge.logit + scale(edge.mean));
        for (const double share : shares) top = std::max(top, share);
        for (double& share : shares) sum += share = std::exp(share - top);
        for (double& share : shares) share /= sum;
        return shares;
    }

private:
    // Values from 0 to 1, stretched to the range that occurs; they weigh more the more visits there are.
    struct Scale {
        double least = HUGE_VAL, range = 0, weight = 0;

        explicit Scale(const std::vector<Edge>& edges) {
            double most = -HUGE_VAL;
            std::uint32_t visits = 0;
            for (const Edge& edge : edges) {
                least = std::min(least, edge.mean);
                most = std::max(most, edge.mean);
                visits = std::max(visits, edge.visits);
            }
            range = std::max(most - least, 1e-8);
            weight = 0.1 * (50 + visits);
        }
        double operator()(double mean) const { return weight * (mean - least) / range; }
    };

    // Sequential halving: the visits that a move must have to be tried, for each simulation.
    void plan(int considered, int simulations) {
        plan_.clear();
        const int rounds = std::max(1, static_cast<int>(std::ceil(std::log2(std::max(considered, 1)))));
        std::uint32_t visits = 0;
        for (int left = std::max(considered, 1); static_cast<int>(plan_.size()) < simulations; left = std::max(left / 2, std::min(considered, 2)))
            for (int extra = std::max(1, simulations / (rounds * left)); extra > 0; --extra, ++visits)
                plan_.insert(plan_.end(), static_cast<std::size_t>(left), visits);
        plan_.resize(static_cast<std::size_t>(simulations));
    }

    std::uint32_t tries(const std::vector<Edge>& edges, std::size_t index) const { return edges[index].tries - before_[index]; }

    int best_with(const std::vector<Edge>& edges, std::uint32_t wanted) const {
        const Scale scale(edges);
        int found = -1;
        double top = -HUGE_VAL;
        for (std::size_t index = 0; index < edges.size(); ++index) {
            if (tries(edges, index) != wanted) continue;
            const double score = noise_[index] + edges[index].logit + scale(edges[index].mean);
            if (score > top) top = score, found = static_cast<int>(index);
        }
        return found;
    }

    std::vector<double> noise_;
    std::vector<std::uint32_t> before_, plan_;
    std::size_t made_ = 0;
};

}  // namespace arena::learning
