"""Running games for those who watch: what is written, by whom it can be read, and what becomes of it."""

import json
import os
import stat
from dataclasses import replace
from pathlib import Path

import pytest

from arena.process.spawn import start_time
from arena.referee.live_sheet import live_folder, live_games, open_sheet
from arena.referee.referee import Turn
from arena.referee.reports import AgentReport
from arena.web.boards import Followed


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "live"


def turns(state, *moves):
    """What a referee shows of these moves."""
    shown = [Turn(state, None, {True: 10.0, False: 10.0})]
    for number, move in enumerate(moves, 1):
        state = state.forward(state.parse(move))
        shown.append(Turn(state, move, {True: 10.0 - number, False: 10.0}))
    return shown


def test_a_running_game_can_be_read_turn_by_turn(job, folder):
    made = job(opening=("d2d3",))
    start = made.game.start()
    with open_sheet(made, results="/x/arena.db", folder=folder) as sheet:
        (begun,) = live_games(folder)
        assert (begun.results, begun.league, begun.first, begun.turns) == ("/x/arena.db", "test", "one", ())
        for turn in turns(start.forward(start.parse("d2d3")), "a4a3"):
            sheet.turn(turn)
        (game,) = live_games(folder)
        assert game.moves == ["d2d3", "a4a3"]
        assert [(turn.move, turn.first, turn.second) for turn in game.turns] == [(None, 10, 10), ("a4a3", 9, 10)]
    assert live_games(folder) == []
    assert list(folder.iterdir()) == []


def test_moves_that_were_taken_back_are_gone(job, folder):
    made = job()
    shown = turns(made.game.start(), "c1d3", "a4a3")
    with open_sheet(made, results="", folder=folder) as sheet:
        for turn in [*shown, replace(shown[0], taken_back=2)]:
            sheet.turn(turn)
        (game,) = live_games(folder)
        assert (game.moves, len(game.turns)) == ([], 4)
        followed = Followed(replace(game, turns=game.turns[:3]))
        (frame,) = followed.advance(game)
        assert frame["caption"] == "start"
        assert followed.html() == Followed(replace(game, turns=game.turns[:1])).html()


def test_the_last_claim_of_each_player_is_kept(job, folder):
    with open_sheet(job(), results="", folder=folder) as sheet:
        sheet.report("first", AgentReport(value=0.25, depth=1))
        sheet.report("first", AgentReport(value=0.75, line=("d2d3",), tree=((("d2d3",), 5, 0.5),)))
        (game,) = live_games(folder)
    assert game.claims["first"] == {"seat": "first", "value": 0.75, "line": ["d2d3"], "tree": [[["d2d3"], 5, 0.5]]}


def test_an_agent_that_says_much_fills_neither_the_folder_nor_the_view(job, folder):
    made, long = job(), "x" * 500
    state = made.game.start()
    shown = turns(state, str(state.legal_moves[0]))
    with open_sheet(made, results="", folder=folder) as sheet:
        sheet.turn(shown[0])
        sheet.report("first", AgentReport(value=0.5, text="before"))
        sheet.turn(shown[1])
        for number in range(3000):
            sheet.report("second", AgentReport(value=0.25, nodes=number + 1, text=long))
        (place,) = folder.iterdir()
        assert place.stat().st_size < 1 << 19
        (game,) = live_games(folder)
        assert game.moves == [shown[1].move]
        assert (game.claims["first"]["text"], game.claims["second"]["nodes"]) == ("before", 3000)
        assert {said["seat"] for said in game.said} == {"second"}
    assert list(folder.iterdir()) == []


def test_nobody_else_can_read_it(job, folder):
    with open_sheet(job(), results="", folder=folder):
        (place,) = folder.iterdir()
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert stat.S_IMODE(place.stat().st_mode) == 0o600


@pytest.mark.parametrize("what", ["open", "link", "file"])
def test_a_folder_that_others_could_change_is_not_used(job, folder, tmp_path, what):
    if what == "open":
        folder.mkdir(mode=0o777)
        folder.chmod(0o777)
    elif what == "link":
        (tmp_path / "elsewhere").mkdir(mode=0o700)
        folder.symlink_to(tmp_path / "elsewhere")
    else:
        folder.touch()
    with open_sheet(job(), results="", folder=folder) as sheet:
        sheet.turn(turns(job().game.start())[0])  # nobody can watch, and the game goes on
        assert live_games(folder) == []
    assert not folder.is_dir() or list(folder.iterdir()) == []


def test_a_full_disk_ends_the_watching_and_not_the_game(job, folder, monkeypatch):
    with open_sheet(job(), results="", folder=folder) as sheet:

        def full(*_):
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(os, "write", full)
        sheet.turn(turns(job().game.start())[0])
        sheet.turn(turns(job().game.start())[0])
        monkeypatch.undo()
        assert len(live_games(folder)) == 1


def test_files_of_processes_that_are_gone_are_removed(job, folder):
    folder.mkdir(mode=0o700)
    head = {"results": "", "league": "x", "key": "", "game": "microchess", "first": "a", "second": "b", "start": "",
            "opening": [], "seconds": 1, "pid": os.getpid(), "began": "another boot 12"}  # fmt: skip
    (folder / "1-1.game").write_text(json.dumps(head) + "\n")
    (folder / "2-1.game").write_text(json.dumps(head | {"began": start_time(os.getpid())}) + "\n")
    assert [game.id for game in live_games(folder)] == ["2-1"]
    assert [place.name for place in folder.iterdir()] == ["2-1.game"]


@pytest.mark.parametrize("text", ["", "{", "[]\n", "{}\n", "null\n", '{"pid": "x"}\n', "\xff\n"])
def test_what_cannot_be_read_is_left_out(folder, text):
    folder.mkdir(mode=0o700)
    (folder / "1-1.game").write_bytes(text.encode("latin-1"))
    assert live_games(folder) == []


def test_a_line_that_is_still_being_written_is_not_read(job, folder):
    with open_sheet(job(), results="", folder=folder) as sheet:
        sheet.turn(turns(job().game.start())[0])
        (place,) = folder.iterdir()
        with place.open("a") as file:
            file.write('["d2d')
        assert len(live_games(folder)[0].turns) == 1


def test_the_folder_is_that_of_the_session_or_one_of_the_user(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    assert live_folder() == tmp_path / "arena-games"
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "gone"))
    monkeypatch.setattr("tempfile.tempdir", "/somewhere")
    assert live_folder() == Path(f"/somewhere/arena-games-{os.getuid()}")


def test_a_game_of_a_league_is_on_its_sheet_while_it_is_played(tmp_path, monkeypatch):
    import arena
    from arena.competition.events import Reported, TurnPlayed

    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    seen, reported = [], []

    def on_event(event):
        if isinstance(event, TurnPlayed):
            seen.extend(live_games())
        if isinstance(event, Reported):
            reported.append(event)

    db = tmp_path / "a.db"
    options = {"turns": 2, "seed": "same", "db": db}
    game = arena.play("uct:simulations=20", "random", reports=True, on_event=on_event, **options)
    assert seen[-1].moves == [move.text for move in game.record.moves]
    assert {one.results for one in seen} == {str(db.resolve())}
    assert live_games() == []
    assert {event.seat for event in reported} == {"first"}
    assert sum(reported[-1].report.visits.values()) > 0
    assert seen[-1].claims["first"]["visits"] == dict(reported[-1].report.visits)
    quiet = arena.play("uct:simulations=20", "random", **options)
    assert [move.text for move in quiet.record.moves] == [move.text for move in game.record.moves]
