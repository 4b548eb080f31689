// When a search must stop, and when it tells what it has found so far.
#pragma once

#include <ctime>

#include <cstdint>
#include <functional>
#include <limits>
#include <utility>

#include "search_result.hpp"

namespace arena::search {

inline double seconds_on(clockid_t clock) {
    timespec time;
    clock_gettime(clock, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}
inline double now() { return seconds_on(CLOCK_MONOTONIC); }

// A limit of time or of CPU time, a node limit, an interrupt or a request to stop, whichever comes first.
class StopCondition {
public:
    using Interrupted = bool (*)();
    using Listener = std::function<void(const SearchResult&)>;

    StopCondition(double seconds, std::uint64_t most_nodes, Interrupted interrupted)
        : deadline_(now() + seconds), asked_(now()), most_nodes_(most_nodes), interrupted_(interrupted) {}

    // Stop when this byte is not 0; null: there is none. `listener` may be empty.
    void watch(const volatile unsigned char* request, Listener listener) {
        request_ = request;
        listener_ = std::move(listener);
    }

    // Stop when the CPU time of this thread reaches `end`.
    void limit_cpu(double end) { cpu_end_ = end; }

    // The same conditions with another time limit, without a listener.
    StopCondition within(double seconds) const {
        StopCondition made(seconds, most_nodes_, interrupted_);
        made.request_ = request_;
        made.cpu_end_ = cpu_end_;
        return made;
    }

    // Whether somebody listens, and whether it is time for another report. A report changes nothing in the search.
    bool has_listener() const { return static_cast<bool>(listener_); }
    bool report_due() const { return report_due_; }
    void tell(const SearchResult& found) {
        report_due_ = false;
        told_ = now();
        if (listener_) listener_(found);
    }

    // Call this at every node. It reads the clock when `nodes & mask` is 0; `mask` is a power of two minus one.
    bool stop(std::uint64_t nodes, std::uint64_t mask = 127) {
        if (nodes > most_nodes_) stopped_ = true;
        if ((nodes & mask) == 0) check_time();
        return stopped_;
    }
    bool stopped() const { return stopped_; }

private:
    static constexpr double between_interrupts = 0.05;  // seconds: asking for an interrupt takes Python's lock
    static constexpr double between_reports = 0.1;      // seconds
    static constexpr double no_limit = std::numeric_limits<double>::infinity();

    void check_time() {
        const double time = now();
        if (time >= deadline_ || (request_ && *request_)) stopped_ = true;
        // Without a limit this clock is not read: it is slower than the other.
        if (cpu_end_ < no_limit && seconds_on(CLOCK_THREAD_CPUTIME_ID) >= cpu_end_) stopped_ = true;
        if (listener_ && time >= told_ + between_reports) report_due_ = true;
        if (time < asked_ + between_interrupts) return;
        asked_ = time;
        if (interrupted_()) stopped_ = true;
    }

    double deadline_, asked_, told_ = 0, cpu_end_ = no_limit;
    std::uint64_t most_nodes_;
    Interrupted interrupted_;
    const volatile unsigned char* request_ = nullptr;
    Listener listener_;
    bool stopped_ = false, report_due_ = false;
};

}  // namespace arena::search
