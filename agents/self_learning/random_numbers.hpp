// Random numbers of other distributions than the uniform one. Own code, so that a seed means the same games everywhere.
#pragma once

#include <cmath>
#include <vector>

#include "random.hpp"

namespace arena::learning {

// More than 0 and less than 1.
inline double uniform(Random& random) { return (static_cast<double>(random.next() >> 12) + 0.5) * 0x1p-52; }

inline double normal(Random& random) {
    constexpr double turn = 6.283185307179586;
    const double radius = std::sqrt(-2 * std::log(uniform(random)));
    return radius * std::cos(turn * uniform(random));
}

// The method of Marsaglia and Tsang; a small `alpha` is raised by one and corrected by a power.
inline double gamma(double alpha, Random& random) {
    if (alpha < 1) {
        const double correction = std::pow(uniform(random), 1 / alpha);
        return gamma(alpha + 1, random) * correction;
    }
    const double shift = alpha - 1.0 / 3, scale = 1 / std::sqrt(9 * shift);
    while (true) {
        const double x = normal(random), root = 1 + scale * x, volume = root * root * root;
        if (root > 0 && std::log(uniform(random)) < 0.5 * x * x + shift - shift * volume + shift * std::log(volume))
            return shift * volume;
    }
}

// Random shares of 1, one for each of `size` moves. `total` is the sum of the parameters of all moves.
inline std::vector<double> dirichlet(int size, double total, Random& random) {
    std::vector<double> shares(static_cast<std::size_t>(size));
    double sum = 0;
    for (double& share : shares) sum += share = gamma(total / size, random);
    // With a tiny parameter all of them may be too small for a number.
    for (double& share : shares) share = sum > 0 ? share / sum : 1.0 / size;
    return shares;
}

inline double gumbel(Random& random) { return -std::log(-std::log(uniform(random))); }

// An index, drawn by weights of which one is more than 0.
inline std::size_t draw(const std::vector<double>& weights, Random& random) {
    double sum = 0;
    for (const double weight : weights) sum += weight;
    double rest = uniform(random) * sum;
    std::size_t last = 0;
    for (std::size_t index = 0; index < weights.size(); ++index) {
        if (weights[index] <= 0) continue;
        last = index;
        if ((rest -= weights[index]) < 0) break;
    }
    return last;
}

}  // namespace arena::learning
