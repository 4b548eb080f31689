// Self-play for the learned value: games of alpha-beta against itself, and the positions to learn from.
#pragma once

#include <array>

#include "value_leaf.hpp"

namespace arena::value {

struct PlaySettings {
    std::uint64_t seed = 0;
    int games = 1;
    std::uint64_t least_nodes = 100, most_nodes = 400;  // of a search, drawn anew for each move
    int least_opening = 1, most_opening = 8;            // random turns at the start
    int random_turns = 24;                              // up to this turn a move may be random
    double random_share = 0.08;
    int examples = 0;                                   // how many games are kept as texts
};

// What is kept of a position, besides its features. For the side to move.
struct Labels {
    std::int16_t score;   // of the search, in thousandths of a logit; `decided_score` if the end is in sight
    std::int8_t result;   // of the game: 1 won, 0 drawn, -1 lost
    std::int8_t margin;   // of the end of the game
    std::uint8_t settled; // 1 if no random move follows
    std::uint8_t turn;
};
static_assert(sizeof(Labels) == 6);
inline constexpr int decided_score = 30'000, most_score = 20'000;

// The rows of many games, each `width` numbers of features and then the labels.
struct Played {
    int width = 0;
    std::vector<std::uint16_t> rows;  // the labels take the place of three numbers
    std::uint64_t positions = 0, nodes = 0, turns = 0;
    std::vector<std::vector<std::string>> examples;
};

template <search::SearchGame Game>
class SelfPlay {
    using Board = typename Game::Board;
    using Move = typename Game::Move;
    using Set = Features<Game>;

public:
    SelfPlay(std::shared_ptr<const Network<Game>> network, const PlaySettings& settings)
        : settings_(settings), random_(settings.seed), search_(LearnedLeaf<Game>(std::move(network)), table_bits) {}

    // Play all games from the position `start`. `go_on` is called before each; once it returns false the rest is left out.
    template <typename GoOn>
    Played play(const Board& start, GoOn go_on) {
        played_.width = Set::most_active(start.position());
        for (int game = 0; game < settings_.games && go_on(); ++game) {
            Board board = start;
            texts_.clear();
            if (!open(board)) {  // over within its random turns: another one
                --game;
                continue;
            }
            play_one(board);
            if (game < settings_.examples) played_.examples.push_back(texts_);
        }
        return std::move(played_);
    }

private:
    static constexpr int table_bits = 15;  // 512 KB: the searches are small, and so it stays in the cache

    // A position whose result is not known yet.
    struct Pending {
        std::size_t row;
        bool white;
        int random_moves;  // made before it
    };

    bool is_random(int turn) { return turn < settings_.random_turns && unit() < settings_.random_share; }
    double unit() { return static_cast<double>(random_.next() >> 11) * 0x1p-53; }

    void push(Board& board, Move move) {
        if (settings_.examples) texts_.push_back(Game::text(board, move));
        board.push(move);
    }

    Move random_move(const Board& board) {
        const int size = board.moves(moves_.data());
        return moves_[random_.below(static_cast<std::uint32_t>(size))];
    }

    bool open(Board& board) {
        const auto range = static_cast<std::uint32_t>(settings_.most_opening - settings_.least_opening + 1);
        opening_ = settings_.least_opening + static_cast<int>(random_.below(range));
        for (int turn = 0; turn < opening_; ++turn) {
            if (board.over()) return false;
            push(board, random_move(board));
        }
        return !board.over();
    }

    void play_one(Board& board) {
        pending_.clear();
        int random_moves = 0;
        for (int turn = opening_; !board.over(); ++turn, ++played_.turns) {
            if (is_random(turn)) {
                ++random_moves;
                push(board, random_move(board));
                continue;
            }
            const auto best = search(board);
            if (!Game::in_check(board) && !Game::is_tactical(board, best.move)) {
                pending_.push_back({played_.rows.size(), board.white(), random_moves});
                keep(board, best.score, turn);
            }
            push(board, best.move);
        }
        label(board, random_moves);
    }

    auto search(const Board& board) {
        const auto range = static_cast<std::uint32_t>(settings_.most_nodes - settings_.least_nodes + 1);
        const std::uint64_t nodes = settings_.least_nodes + random_.below(range);
        search::StopCondition stop(1e9, nodes, [] { return false; });
        const auto best = search_.best_of(board, {1e9, nodes, search::deepest, random_.next() | 1, false}, stop);
        played_.nodes += best.nodes;
        return best;
    }

    void keep(const Board& board, int score, int turn) {
        Bits bits[Set::words];
        if (!Set::collect(board, bits)) return;  // does not happen: the game goes on
        const std::size_t end = played_.rows.size() + static_cast<std::size_t>(played_.width);
        const int view = Set::view(board);
        for (int word = 0; word < Set::words; ++word)
            for (Bits left = bits[word]; left;)
                played_.rows.push_back(static_cast<std::uint16_t>(Set::feature(board.position(), view, 64 * word + take(left))));
        played_.rows.resize(end, static_cast<std::uint16_t>(Set::size(board.position())));
        const bool decided = std::abs(score) > search::clear;
        const int kept = decided ? (score > 0 ? decided_score : -decided_score) : std::clamp(score, -most_score, most_score);
        add({static_cast<std::int16_t>(kept), 0, 0, 0, static_cast<std::uint8_t>(std::min(turn, 255))});
        ++played_.positions;
    }

    void add(const Labels& labels) {
        const auto numbers = std::bit_cast<std::array<std::uint16_t, 3>>(labels);
        played_.rows.insert(played_.rows.end(), numbers.begin(), numbers.end());
    }

    // Write the result of the game to its rows.
    void label(const Board& board, int random_moves) {
        const int result = board.result(), margin = std::clamp(Set::margin(board), -127, 127);
        for (const auto& [row, white, before] : pending_) {
            std::uint16_t* at = played_.rows.data() + row + played_.width;
            Labels labels;
            std::memcpy(&labels, at, sizeof labels);
            labels.result = static_cast<std::int8_t>(white ? result : -result);
            labels.margin = static_cast<std::int8_t>(white ? margin : -margin);
            labels.settled = before == random_moves;
            std::memcpy(at, &labels, sizeof labels);
        }
    }

    PlaySettings settings_;
    Random random_;
    search::AlphaBeta<Game, LearnedLeaf<Game>> search_;
    Played played_;
    std::array<Move, Board::max_moves> moves_;
    std::vector<Pending> pending_;
    std::vector<std::string> texts_;
    int opening_ = 0;
};

}  // namespace arena::value
