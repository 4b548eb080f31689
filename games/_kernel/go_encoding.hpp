// Go for learners. games/encoding/go.py is the specification.
#pragma once

#include "encoding.hpp"
#include "go.hpp"

namespace arena {

template <>
struct Encoding<go::Position> {
    using Position = go::Position;
    static constexpr int planes = 7, scalars = 4;

    static Shape shape(const Position& position) {
        const int rows = position.field.rows, columns = position.field.columns;
        return {planes, rows, columns, scalars, rows * columns + 1};
    }
    static void encode(const Position& position, float* out) { encode_inputs(position, out); }
    static int action(const Position& position, go::Move move) {
        const go::Field& field = position.field;
        return move == go::pass ? field.rows * field.columns : cell(field, move);
    }

    template <typename Set>
    static void each_input(const Position& position, Set set) {
        const go::Field& field = position.field;
        const int cells = field.rows * field.columns;
        // Own stones, the opponent's, own stones with one liberty and with two, the opponent's likewise.
        for (const bool others : {false, true})
            each_group(field, position.white != others, [&](const Points& group, int liberties) {
                group.each([&](int point) {
                    set(others * cells + cell(field, point), 1.0F);
                    if (liberties <= 2) set((1 + 2 * others + liberties) * cells + cell(field, point), 1.0F);
                });
            });
        // The empty points on which a stone would repeat a board.
        position.repeating().each([&](int point) { set(6 * cells + cell(field, point), 1.0F); });
        set_scalars(position, [&](int index, double value) {
            if (value != 0) set(planes * cells + index, static_cast<float>(value));
        });
    }

private:
    // Points are numbered with an unused one at the end of each row, cells without.
    static int cell(const go::Field& field, int point) { return point - point / field.stride(); }

    // For the side to move: passes in a row, komi, the lead in area with komi, and the share of the turns left.
    template <typename Set>
    static void set_scalars(const Position& position, Set set) {
        const double cells = position.field.rows * position.field.columns, sign = position.white ? 1 : -1;
        set(0, position.passes / 2.0);
        set(1, sign * position.komi / cells);
        set(2, -sign * position.margin() / cells);
        const double left = position.limit > position.turns ? position.limit - position.turns : 0;
        set(3, position.limit ? left / position.limit : 1.0);
    }

    // Call `look` with each group of one side and the number of its liberties.
    template <typename Look>
    static void each_group(const go::Field& field, bool of_white, Look look) {
        for (Points left = field.stones.of[of_white]; left.any();) {
            Points group, liberties;
            std::int16_t waiting[go::pass];
            int size = 0;
            const auto visit = [&](int point) {
                if (field.open.has(point)) liberties.add(point);
                if (!left.has(point)) return;
                left.remove(point);
                group.add(point);
                waiting[size++] = static_cast<std::int16_t>(point);
            };
            visit(left.lowest());
            while (size) field.each_beside(waiting[--size], visit);
            look(group, liberties.size());
        }
    }
};

static_assert(Encodable<go::Position>);
static_assert(Encodable<go::Board>);

}  // namespace arena
