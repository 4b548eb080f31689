"""Games, standings, faults and matches in a notebook: what they show and what they convert to."""

import xml.etree.ElementTree as ET
from dataclasses import replace

import pandas
import pytest
from click.testing import CliRunner

import results
from arena.cli.standings import command as standings_command
from results.api import PlayedGame
from results.errors import BadEntrants, NoLeague, NoRecord
from results.record import FaultRecord, MoveRecord
from results.standings.match import Match

MOVES = (MoveRecord("d2d3", 0.5, 0.4, 0.3), MoveRecord("a4a3", 0.25, 0.2))
HOSTILE = "<script>alert(1)</script>"


@pytest.fixture
def opened(path, store, make_record):
    store.add(make_record("1:1-2", moves=MOVES))
    fault = FaultRecord("second", "exception", "ValueError: no", {}, "act", 3)
    store.add(make_record("1:2-1", first="bob", second="ada", result="1-0", reason="fault", fault=fault, moves=MOVES))
    store.add(make_record("1:2-3", first="bob", second="eve", result="1/2-1/2", reason="repetition"))
    with results.load(path) as reader:
        yield reader


@pytest.fixture
def played(make_record):
    return PlayedGame(make_record(id=12, moves=MOVES))


class TestGames:
    def test_all_games_come_in_the_order_they_were_stored(self, opened):
        games = opened.games()
        assert len(games) == 3
        assert [game.id for game in games] == [1, 2, 3]
        assert games[-1].record == opened.game(3).record

    def test_games_of_one_agent(self, opened):
        assert [game.id for game in opened.games(agent="ada")] == [1, 2]
        assert [game.id for game in opened.games("spring", agent="eve")] == [3]

    def test_games_that_ended_by_a_fault(self, opened):
        assert [game.id for game in opened.games(faults=True)] == [2]
        assert [game.id for game in opened.games(agent="eve", faults=True)] == []

    def test_a_slice_is_a_list_of_games_again(self, opened):
        assert [game.id for game in opened.games()[1:]] == [2, 3]
        assert repr(opened.games()[:1]) == "<1 game>"

    def test_a_game_is_read_when_it_is_asked_for(self, opened, monkeypatch):
        read = []
        monkeypatch.setattr(type(opened._store), "record", lambda _, number: read.append(number) or 1 / 0)
        games = opened.games()
        assert (len(games), read) == (3, [])
        with pytest.raises(ZeroDivisionError):
            _ = games[1]
        assert read == [2]

    def test_unknown_names_are_refused(self, opened):
        with pytest.raises(NoLeague, match="no league called 'summer'"):
            opened.games("summer")
        with pytest.raises(BadEntrants, match="has an entrant called 'zoe'"):
            opened.games(agent="zoe")
        with pytest.raises(BadEntrants, match="'zoe' is"):
            opened.games("spring", agent="zoe")
        with pytest.raises(NoRecord, match="no record 99"):
            opened.game(99)

    def test_the_frame_has_the_columns_of_the_whole_file(self, opened):
        frame = opened.games(agent="ada").to_pandas()
        assert frame["id"].tolist() == [1, 2]
        pandas.testing.assert_frame_equal(opened.games().to_pandas(), opened.to_pandas())

    def test_the_html_table_escapes_names(self, opened, store, make_record):
        store.enter("spring", replace(make_record().first, name=HOSTILE))
        store.add(make_record("1:1-4", second=HOSTILE, reason=HOSTILE))
        html = opened.games()._repr_html_()
        assert "&lt;script&gt;" in html
        assert "<script" not in html
        assert html.count("<tr>") == 5

    def test_a_long_html_table_is_cut(self, opened, monkeypatch):
        monkeypatch.setattr("results.played_games._ROWS", 2)
        html = opened.games()._repr_html_()
        assert "3 games, the first 2 of them" in html
        assert html.count("<tr>") == 3


class TestPlayedGame:
    def test_its_facts(self, opened):
        game = opened.game(2)
        assert (game.id, game.first, game.second, game.result, game.reason) == (2, "bob", "ada", "1-0", "fault")
        assert (game.winner, game.fault.rule, game.broken) == ("bob", "exception", "")
        assert opened.game(3).winner is None

    def test_an_index_is_a_number_of_turns(self, played):
        assert len(played) == 2
        assert [played[turn].turns for turn in (0, 1, 2)] == [0, 1, 2]
        assert played[0].text == played.record.start

    def test_negative_indexes_count_from_the_end(self, played):
        assert [played[turn].turns for turn in (-1, -2, -3)] == [2, 1, 0]

    def test_a_slice_is_a_list_of_states(self, played):
        assert played[0:2] == [played[0], played[1]]
        assert played[1:] == [played[1], played[2]]
        assert played[::-1] == list(reversed(list(played)))

    @pytest.mark.parametrize("index", ["x", 1.5, None])
    def test_any_other_index_is_refused_clearly(self, played, index):
        with pytest.raises(TypeError, match=r"^write game\[12\] or game\[2:5\], a number of turns, not "):
            played[index]

    @pytest.mark.parametrize("turn", [3, -4, 1000])
    def test_an_index_outside_says_which_ones_there_are(self, played, turn):
        with pytest.raises(IndexError, match=rf"this game has 2 turns: use 0 .* to 2 .*, not {turn}$"):
            _ = played[turn]

    def test_iterating_gives_the_states(self, played):
        assert [state.turns for state in played] == [0, 1, 2]

    def test_a_game_without_turns_is_still_true(self, make_record):
        game = PlayedGame(make_record(moves=()))
        assert bool(game)
        assert game[0].text == game[-1].text == game.record.start

    def test_the_picture_is_the_last_position_with_the_last_move(self, played):
        assert played._repr_svg_() == played[-1].svg(played[1].parse("a4a3"))
        assert ET.fromstring(played._repr_svg_()).tag.endswith("svg")

    def test_text_is_a_line_and_the_board(self, played):
        line, empty, *board = str(played).splitlines()
        assert line == "game 12: ada 1-0 bob, checkmate, 2 turns of microchess"
        assert (empty, "\n".join(board)) == ("", str(played[-1]))
        assert repr(played) == f"<{line}>"

    def test_a_fault_is_in_the_line(self, opened):
        assert repr(opened.game(2)) == "<game 2: bob 1-0 ada, fault of ada (exception), 2 turns of microchess>"

    @pytest.mark.parametrize("changes", [{"game": "checkers"}, {"start": "?"}, {"parameters": {"wings": 2}}])
    def test_a_game_that_cannot_be_set_up_is_still_shown(self, make_record, changes):
        game = PlayedGame(make_record(**changes))
        assert repr(game).startswith("<game: ada 1-0 bob")
        assert "no board: its start cannot be set up" in str(game)
        assert game._repr_svg_() is None
        assert list(game) == []
        with pytest.raises(IndexError, match="turn 0 cannot be shown: its start"):
            _ = game[0]
        assert len(game.to_pandas()) == 2

    def test_a_move_that_is_no_longer_legal_ends_the_states(self, make_record):
        game = PlayedGame(make_record(moves=(MOVES[0], MoveRecord("a1a1"))))
        assert len(list(game)) == 2
        assert game[1].turns == 1
        assert game._repr_svg_() is None
        with pytest.raises(IndexError, match="turn 2 cannot be shown: turn 2 cannot be replayed"):
            _ = game[-1]

    def test_text_of_agents_is_made_visible(self, make_record):
        game = PlayedGame(make_record(first="a\x1b[31m", reason="\u202e", game="no\nsuch"))
        assert "\x1b" not in str(game)
        assert "\u202e" not in str(game)
        assert "\n" not in repr(game)

    def test_the_frame_has_a_row_per_turn(self, played):
        frame = played.to_pandas()
        assert list(frame.columns) == ["turn", "player", "move", "wall", "cpu", "clock_left"]
        assert frame.to_dict("list") == {
            "turn": [1, 2], "player": ["ada", "bob"], "move": ["d2d3", "a4a3"],
            "wall": [0.5, 0.25], "cpu": [0.4, 0.2], "clock_left": [399.5, 399.75],
        }  # fmt: skip

    @pytest.mark.parametrize(("clock", "left"), [("fair", 399.6), ("cpu", 399.6), ("wall", 399.5), ("?", 399.5)])
    def test_the_clock_is_that_of_the_league(self, played, store, clock, left):
        league = replace(store.known("spring"), settings={"clock": clock})
        frame = PlayedGame(played.record, league).to_pandas()
        assert frame["clock_left"].tolist()[0] == pytest.approx(left)

    def test_the_mover_of_the_first_turn_may_be_second(self, make_record):
        frame = PlayedGame(make_record(mover="second")).to_pandas()
        assert frame["player"].tolist() == ["bob", "ada"]


class TestStandings:
    def test_they_are_a_sequence_of_rows(self, opened):
        standings = opened.standings()
        assert len(standings) == 3
        assert standings[0].agent == "bob"
        assert [row.rank for row in standings[:2]] == [1, 2]
        assert standings.rows == list(standings)
        assert repr(standings) == "<standings of spring: 3 entrants>"

    def test_their_text_is_what_the_command_prints(self, opened, path):
        printed = CliRunner().invoke(standings_command, ["--db", str(path)]).output
        assert f"{opened.standings()}\n" == printed

    def test_html_escapes_names(self, opened, store, make_record):
        store.enter("spring", replace(make_record().first, name=HOSTILE))
        html = opened.standings()._repr_html_()
        assert "&lt;script&gt;" in html
        assert "<script" not in html
        assert html.count("<tr>") == 5

    def test_the_frame_has_a_row_per_entrant(self, opened):
        frame = opened.standings().to_pandas()
        assert frame["agent"].tolist() == ["bob", "ada", "eve"]
        assert frame["points"].tolist() == [1.5, 1.0, 0.5]
        assert frame["elo"].notna().all()

    def test_the_plot_is_a_picture_with_its_own_style(self, opened, store, make_record):
        store.enter("spring", replace(make_record().first, name=HOSTILE))
        store.add(make_record("1:1-4", second=HOSTILE))
        svg = opened.standings().plot()._repr_svg_()
        root = ET.fromstring(svg)
        assert root.tag.endswith("svg")
        assert svg.count("<circle") == 4
        assert svg.count('class="error"') == 4
        assert "<style>" in svg
        assert "<script" not in svg

    def test_a_league_without_games_has_an_empty_plot(self, path, store):
        with results.load(path) as reader:
            assert reader.standings().plot()._repr_svg_().count("<circle") == 0
            assert "Nobody is rated" in str(reader.standings())


class TestFaults:
    def test_each_fault_is_a_row(self, opened):
        (fault,) = opened.faults("spring")
        assert (fault.game, fault.agent, fault.rule, fault.phase, fault.turn, fault.detail) == (
            2, "ada", "exception", "act", 3, "ValueError: no",
        )  # fmt: skip

    def test_their_text(self, opened):
        assert str(opened.faults()) == "game 2: ada broke exception in act, turn 3: ValueError: no"
        assert repr(opened.faults()) == "<1 fault>"

    def test_the_frame_has_the_turn_as_a_whole_number(self, opened, store, make_record):
        fault = FaultRecord("first", "startup", "too slow", {}, "load")
        store.add(make_record("1:1-3", second="eve", fault=fault, reason="fault", result="0-1"))
        frame = opened.faults().to_pandas()
        assert list(frame.columns) == ["game", "agent", "rule", "phase", "turn", "detail"]
        assert frame["turn"].isna().tolist() == [False, True]
        assert frame["turn"].dtype == "Int64"

    def test_html_escapes_details(self, opened, store, make_record):
        fault = FaultRecord("first", "exception", HOSTILE, {}, "load")
        store.add(make_record("1:1-3", second="eve", fault=fault, reason="fault", result="0-1"))
        html = opened.faults()._repr_html_()
        assert "&lt;script&gt;" in html
        assert "<script" not in html

    def test_no_faults(self, path, store):
        with results.load(path) as reader:
            assert str(reader.faults()) == "no faults"
            assert len(reader.faults().to_pandas()) == 0


class TestMatch:
    @pytest.fixture
    def match(self, make_record):
        games = [make_record("1"), make_record("2", first=HOSTILE, second="ada", result="1/2-1/2")]
        return Match.of([games[0], games[1]], one="ada", two=HOSTILE)

    def test_its_text(self, match):
        assert str(match) == match.text()

    def test_its_frame_has_one_row(self, match):
        frame = match.to_pandas()
        assert (len(frame), frame["one"][0], frame["games"][0]) == (1, "ada", 2)
        assert set(frame.columns) == set(match.as_dict())

    def test_its_html_escapes_names(self, match):
        html = match._repr_html_()
        assert "ada against &lt;script&gt;" in html
        assert "<script" not in html
