// When a search must stop, and what it has found by then.
#pragma once

#include <ctime>

#include <cstdint>
#include <string>
#include <vector>

namespace arena::search {

inline double now() {
    timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// A moment, a number of nodes, or somebody who interrupts: whichever comes first.
class Watch {
public:
    using Interrupted = bool (*)();

    Watch(double seconds, std::uint64_t most, Interrupted interrupted)
        : at_(now() + seconds), asked_(now()), most_(most), interrupted_(interrupted) {}

    // To be asked at every node. The clock is looked at now and then, `often` (a power of two less one) nodes apart.
    bool stop(std::uint64_t nodes, std::uint64_t often = 127) {
        if (nodes > most_) stopped_ = true;
        if ((nodes & often) == 0) look();
        return stopped_;
    }
    bool stopped() const { return stopped_; }

private:
    void look() {
        const double time = now();
        if (time >= at_) stopped_ = true;
        if (time < asked_ + 0.05) return;
        asked_ = time;
        if (interrupted_()) stopped_ = true;
    }

    double at_, asked_;
    std::uint64_t most_;
    Interrupted interrupted_;
    bool stopped_ = false;
};

struct Visits {
    std::string move;
    std::uint64_t visits;
    double mean;  // reward of the side to move
};

struct Found {
    std::string move;
    std::uint64_t nodes = 0;
    int depth = 0;     // searched to the end; of UCT the deepest node
    double score = 0;  // of the side to move
    std::vector<std::string> line;
    std::vector<Visits> visits;
};

}  // namespace arena::search
