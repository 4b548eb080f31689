// Where the time of self-play goes.
#pragma once

#include <ctime>

#include <array>
#include <cstddef>
#include <cstdint>

#include "../core/stop_condition.hpp"

namespace arena::learning {

enum class Stage { select, encode, net, expand, backup, record, count };
inline constexpr const char* stage_names[] = {"select", "encode", "net", "expand", "backup", "record"};

inline double cpu_now() {
    timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// One round of many is measured stage by stage. The CPU time of all rounds is divided in the same proportions.
class Stages {
public:
    void begin_round() {
        active_ = rounds_++ % every == 0;
        if (active_) lap_ = search::now();
    }
    // After a pause that is measured elsewhere.
    void go_on() {
        if (active_) lap_ = search::now();
    }
    void lap(Stage stage) {
        if (!active_) return;
        const double time = search::now();
        seen_[static_cast<std::size_t>(stage)] += time - lap_;
        lap_ = time;
    }
    void add_cpu(double seconds) { cpu_ += seconds; }

    double seconds(Stage stage) const {
        double sum = 0;
        for (const double each : seen_) sum += each;
        return sum > 0 ? cpu_ * seen_[static_cast<std::size_t>(stage)] / sum : 0;
    }

private:
    static constexpr std::uint64_t every = 8;
    std::array<double, static_cast<std::size_t>(Stage::count)> seen_{};
    double lap_ = 0, cpu_ = 0;
    std::uint64_t rounds_ = 0;
    bool active_ = false;
};

}  // namespace arena::learning
