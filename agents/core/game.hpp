// Games by their names, and positions by their texts, as Python gives them.
#pragma once

#include "binding.hpp"
#include "rules.hpp"

namespace arena::search {

inline constexpr long long most_turns = 2'000'000'000;

template <typename... Rules>
struct Games {
    static std::vector<std::string> names() { return {Rules::name...}; }

    // The engine for the game of this name.
    template <typename Engine, template <typename> typename EngineOf, typename... Arguments>
    static std::unique_ptr<Engine> engine(const char* game, const Parameters& parameters, Arguments... arguments) {
        if (parameters.limit < 0 || parameters.limit > most_turns || !std::isfinite(parameters.komi))
            python::refuse("no such limit or komi");
        std::unique_ptr<Engine> made;
        const bool found =
            (... || (game == std::string_view(Rules::name) && (made = std::make_unique<EngineOf<Rules>>(parameters, arguments...))));
        if (!found) python::refuse("there is no native search for %.100s", game);
        return made;
    }
};
using AllGames = Games<Go, Gomoku, Microchess, Mushroom, Othello>;

// A position, the moves that led on from it, and what else belongs to it.
struct Place {
    python::Text text;
    python::Texts moves = {}, seen = {};
    long long turns = 0;

    // The arguments of set(text, moves, *, seen, turns).
    static Place of(const python::Call& call) {
        Place place;
        PyObject *moves, *seen = nullptr;
        call.read("s#O!|$O!L:set", {"text", "moves", "seen", "turns"}, &place.text.letters, &place.text.size, &PyTuple_Type,
                  &moves, &PyTuple_Type, &seen, &place.turns);
        if (place.turns < 0 || place.turns > most_turns) python::refuse("no such number of turns");
        place.moves = python::texts(moves);
        if (seen) place.seen = python::texts(seen);
        return place;
    }

    template <typename Rules>
    std::unique_ptr<typename Rules::Board> board(Parameters parameters = {}) const {
        parameters.seen = seen;
        parameters.turns = turns;
        auto board = Rules::set_up(text, parameters);
        for (const std::string_view move : moves) {
            const auto found = board ? Rules::read(*board, move) : std::nullopt;
            if (!found) refuse();
            board->push(*found);
        }
        if (!board) refuse();
        return board;
    }
    [[noreturn]] void refuse() const { python::refuse("no position of this game: %.200s", text.letters); }
};

// There must be a move to choose.
inline void must_go_on(bool over) {
    if (over) python::refuse("there is no move to choose: the game is over");
}

}  // namespace arena::search
