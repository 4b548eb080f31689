// Games and positions as Python names them.
#pragma once

#include "games.hpp"
#include "known_endings.hpp"
#include "python_objects.hpp"

namespace arena::search {

inline constexpr long long most_turns = 2'000'000'000;

template <SearchGame... Games>
struct GameList {
    static std::vector<std::string> names() { return {Games::name...}; }

    // A new `EngineOf<Game>(parameters, arguments...)` for the game of this name.
    template <typename Engine, template <typename> typename EngineOf, typename... Arguments>
    static std::unique_ptr<Engine> make_engine(const char* game, const Parameters& parameters, Arguments... arguments) {
        if (parameters.limit < 0 || parameters.limit > most_turns || !std::isfinite(parameters.komi))
            python::raise_value_error("no such limit or komi");
        std::unique_ptr<Engine> made;
        const bool found = (... || (game == std::string_view(Games::name) &&
                                    (made = std::make_unique<EngineOf<Games>>(parameters, arguments...))));
        if (!found) python::raise_value_error("there is no native search for %.100s", game);
        return made;
    }
};
using AllGames = GameList<Chess, Go, Gomoku, Microchess, Mushroom, Othello>;

// The arguments that name a position: a text, the moves made from there, and what else belongs to the position.
struct PositionArguments {
    python::Text text;
    python::Texts moves = {}, seen = {};
    long long turns = 0;

    // The arguments of set(text, moves, *, seen, turns).
    static PositionArguments of(const python::Call& call) {
        PositionArguments found;
        PyObject *moves, *seen = nullptr;
        call.read("s#O!|$O!L:set", {"text", "moves", "seen", "turns"}, &found.text.letters, &found.text.size, &PyTuple_Type,
                  &moves, &PyTuple_Type, &seen, &found.turns);
        if (found.turns < 0 || found.turns > most_turns) python::raise_value_error("no such number of turns");
        found.moves = python::texts(moves);
        if (seen) found.seen = python::texts(seen);
        return found;
    }

    template <SearchGame Game>
    std::unique_ptr<typename Game::Board> board(Parameters parameters = {}) const {
        parameters.seen = seen;
        parameters.turns = turns;
        auto board = Game::make_board(text, parameters);
        for (const std::string_view move : moves) {
            const auto found = board ? Game::read(*board, move) : std::nullopt;
            if (!found) refuse();
            board->push(*found);
        }
        if (!board) refuse();
        return board;
    }
    [[noreturn]] void refuse() const { python::raise_value_error("no position of this game: %.200s", text.letters); }
};

// Let a search use the tables of endings in a bytes object: the arguments of use_endings(tables).
template <SearchGame Game>
void use_endings(KnownEndings<Game>& endings, std::string_view bytes) {
    if constexpr (KnownEndings<Game>::exist) {
        if (auto tables = Game::Endings::of(bytes)) {
            endings.use(std::make_shared<const typename Game::Endings>(std::move(*tables)));
            return;
        }
    }
    python::raise_value_error("these are not tables of endings of %s", Game::name);
}

// Raise unless there is a move to choose.
inline void must_go_on(bool over) {
    if (over) python::raise_value_error("there is no move to choose: the game is over");
}

}  // namespace arena::search
