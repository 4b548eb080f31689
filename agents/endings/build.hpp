// Making the tables of microchess endings by retrograde analysis. What they answer is explained in agents/endings/table.py.
#pragma once

#include "../core/microchess_endings.hpp"

namespace arena::endings {

// From how many turns left on each side can make sure of a result: [side][0] of a win, [side][1] of at least a draw.
inline constexpr std::uint8_t never = 255;
struct Sure {
    std::uint8_t turns[2][2];
};

// The table of one material, made from those of the materials that captures and promotions lead to.
class Builder {
public:
    using Done = std::vector<std::vector<Sure>>;

    Builder(const Material& material, const Done& done) : material_(material), done_(done), size_(size_of(material)) {
        for (int man = 0; man < material.others(); ++man) {
            const int value = microchess::piece_value[material.piece[static_cast<std::size_t>(man)]];
            lead_ += man < material.white ? value : -value;
        }
        lead_ = (lead_ > 0) - (lead_ < 0);
    }

    std::vector<Sure> build() {
        for (std::uint32_t index = 0; index < size_; ++index) add(index);
        for (int color = 0; color < 2; ++color)
            for (int level = 0; level < 2; ++level) settle(color, level);
        std::vector<Sure> found(size_);
        for (std::uint32_t index = 0; index < size_; ++index) found[index] = nodes_[index].sure;
        return found;
    }
    // Whether the entry is a position in which the game goes on.
    bool is_live(std::uint32_t index) const { return nodes_[index].live; }

    // The position of an entry; nothing where there is none.
    std::optional<Position> position_of(std::uint32_t index) const {
        Position position;
        position.turn = index & 1;
        std::uint32_t left = index / 2;
        for (int man = material_.others() - 1; man >= 0; --man, left /= microchess::squares) {
            const Squares here = microchess::bit(static_cast<int>(left % microchess::squares));
            if (position.occupied() & here) return std::nullopt;
            position.piece[material_.piece[static_cast<std::size_t>(man)]] |= here;
            position.side[man < material_.white ? microchess::WHITE : microchess::BLACK] |= here;
        }
        const auto [white, black] = king_pairs.pair[left];
        const Squares kings = microchess::bit(white) | microchess::bit(black);
        if (position.occupied() & kings) return std::nullopt;
        position.piece[microchess::KING] = kings;
        position.side[microchess::WHITE] |= microchess::bit(white);
        position.side[microchess::BLACK] |= microchess::bit(black);
        if (!position.is_valid() || place_of(position)->index != index) return std::nullopt;
        return position;
    }

private:
    struct Node {
        Sure sure{}, least{}, most{};  // `least` and `most` of the moves that leave the table
        std::uint32_t first = 0, last = 0;
        bool live = false, leaves = false;
    };

    static bool suffices(int result, int color, int level) { return (color ? result : -result) >= (level == 0 ? 1 : 0); }
    static Sure decided(int result) {
        Sure sure;
        for (int color = 0; color < 2; ++color)
            for (int level = 0; level < 2; ++level) sure.turns[color][level] = suffices(result, color, level) ? 0 : never;
        return sure;
    }
    // The result for White if the game is over, whatever the history was.
    static std::optional<int> ended(const Position& position) {
        const auto verdict = position.verdict(position.count_moves() == 0, 0, [] { return false; });
        return verdict == microchess::Verdict::none ? std::nullopt : std::optional(position.winner(verdict));
    }

    void add(std::uint32_t index) {
        nodes_.emplace_back();
        Node& node = nodes_.back();
        node.first = node.last = static_cast<std::uint32_t>(within_.size());
        const auto position = position_of(index);
        if (!position) return;
        if (const auto result = ended(*position)) {
            node.sure = decided(*result);
            return;
        }
        node.live = true;
        microchess::Move moves[Position::max_moves];
        const int size = position->moves(moves);
        for (int move = 0; move < size; ++move) follow(node, position->after(moves[move]));
        node.last = static_cast<std::uint32_t>(within_.size());
    }

    void follow(Node& node, const Position& next) {
        const auto result = ended(next);
        const auto place = place_of(next);
        if (!result && place->material == material_) {
            within_.push_back(place->index);
            return;
        }
        Sure sure = result ? decided(*result) : done_[static_cast<std::size_t>(layout().number_of(place->material))][place->index];
        if (!result && place->flipped) std::swap(sure.turns[0], sure.turns[1]);
        for (int color = 0; color < 2; ++color)
            for (int level = 0; level < 2; ++level) {
                const std::uint8_t turns = sure.turns[color][level];
                std::uint8_t &least = node.least.turns[color][level], &most = node.most.turns[color][level];
                least = node.leaves ? std::min(least, turns) : turns;
                most = node.leaves ? std::max(most, turns) : turns;
            }
        node.leaves = true;
    }

    // Set the turns of one side and level. If the material at the end suffices, waiting is enough: numbers grow from 0
    // where something forces the side to act. If it does not, numbers come only from what has been reached.
    void settle(int color, int level) {
        const bool waits = suffices(lead_, color, level);
        for (Node& node : nodes_)
            if (node.live) node.sure.turns[color][level] = waits ? 0 : never;
        for (bool changed = true; changed;) {
            changed = false;
            for (std::uint32_t index = 0; index < size_; ++index) {
                Node& node = nodes_[index];
                if (!node.live) continue;
                const std::uint8_t best = chosen(node, color, level, (index & 1) == static_cast<std::uint32_t>(color));
                const std::uint8_t turns = best >= most_turns ? never : waits && best == 0 ? 0 : static_cast<std::uint8_t>(best + 1);
                changed |= turns != node.sure.turns[color][level];
                node.sure.turns[color][level] = turns;
            }
        }
    }
    // The turns after the move of the side itself, which wants few, or of the other, which wants many.
    std::uint8_t chosen(const Node& node, int color, int level, bool own) const {
        std::uint8_t found = own ? never : 0;
        if (node.leaves) found = (own ? node.least : node.most).turns[color][level];
        for (std::uint32_t next = node.first; next < node.last; ++next) {
            const std::uint8_t turns = nodes_[within_[next]].sure.turns[color][level];
            found = own ? std::min(found, turns) : std::max(found, turns);
        }
        return found;
    }

    Material material_;
    const Done& done_;
    std::uint32_t size_;
    int lead_ = 0;
    std::vector<Node> nodes_;
    std::vector<std::uint32_t> within_;
};

// For the side to move.
inline Answer answer_of(const Sure& sure, int color) {
    const auto &own = sure.turns[color], &other = sure.turns[!color];
    if (own[0] != never) return {Result::win, own[0]};
    if (other[0] != never) return {Result::loss, other[0]};
    if (own[1] != never && other[1] != never) return {Result::draw, std::max(own[1], other[1])};
    return {};
}

// All tables as bytes. Entries that are no position repeat the byte before them, which packs well.
inline std::string build_all() {
    Builder::Done done;
    std::string bytes;
    std::uint8_t last = 0;
    for (const Material& material : layout().materials) {
        Builder builder(material, done);
        done.push_back(builder.build());
        for (std::uint32_t index = 0; index < done.back().size(); ++index) {
            if (builder.is_live(index)) last = to_byte(answer_of(done.back()[index], index & 1));
            bytes.push_back(static_cast<char>(last));
        }
    }
    return bytes;
}

}  // namespace arena::endings
