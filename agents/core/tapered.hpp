// A value in the middlegame and in the endgame, in hundredths of a pawn.
#pragma once

namespace arena::search {

struct Tapered {
    int middle = 0, end = 0;
    constexpr Tapered& operator+=(Tapered other) { return middle += other.middle, end += other.end, *this; }
    constexpr Tapered& operator-=(Tapered other) { return middle -= other.middle, end -= other.end, *this; }
    constexpr Tapered operator*(int times) const { return {middle * times, end * times}; }
};

}  // namespace arena::search
