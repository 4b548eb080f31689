// When a search must stop.
#pragma once

#include <ctime>

#include <cstdint>

namespace arena::search {

inline double now() {
    timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// A time limit, a node limit or an interrupt, whichever comes first.
class StopCondition {
public:
    using Interrupted = bool (*)();

    StopCondition(double seconds, std::uint64_t most_nodes, Interrupted interrupted)
        : deadline_(now() + seconds), asked_(now()), most_nodes_(most_nodes), interrupted_(interrupted) {}

    // Call this at every node. It reads the clock when `nodes & mask` is 0; `mask` is a power of two minus one.
    bool stop(std::uint64_t nodes, std::uint64_t mask = 127) {
        if (nodes > most_nodes_) stopped_ = true;
        if ((nodes & mask) == 0) check_time();
        return stopped_;
    }
    bool stopped() const { return stopped_; }

private:
    static constexpr double between_interrupts = 0.05;  // seconds: asking for an interrupt takes Python's lock

    void check_time() {
        const double time = now();
        if (time >= deadline_) stopped_ = true;
        if (time < asked_ + between_interrupts) return;
        asked_ = time;
        if (interrupted_()) stopped_ = true;
    }

    double deadline_, asked_;
    std::uint64_t most_nodes_;
    Interrupted interrupted_;
    bool stopped_ = false;
};

}  // namespace arena::search
