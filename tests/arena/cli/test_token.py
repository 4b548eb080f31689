"""`arena token`."""

import json

from arena.cli import run
from arena.entrants.tokens import Tokens


def test_a_token_is_printed_once_listed_and_revoked(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("ARENA_HOME", str(tmp_path))
    assert run(["token", "Grace Hopper", "--organiser"]) == 0
    printed = capsys.readouterr()
    text = printed.out.strip()
    assert "shown only now" in printed.err
    assert Tokens(tmp_path).find(text).role == "organiser"
    assert run(["token", "list", "--json"]) == 0
    (listed,) = json.loads(capsys.readouterr().out)
    assert (listed["name"], listed["role"], "digest" in listed) == ("Grace Hopper", "organiser", False)
    assert run(["token"]) == 0
    assert "Grace Hopper" in (listing := capsys.readouterr().out)
    assert text not in listing
    assert run(["token", "Grace Hopper"]) == 2
    assert "arena token revoke" in capsys.readouterr().err
    assert run(["token", "revoke", "Grace Hopper"]) == 0
    assert Tokens(tmp_path).find(text) is None
    assert run(["token", "revoke", "Grace Hopper"]) == 2


def test_a_folder_of_its_own_has_its_own_tokens(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("ARENA_HOME", str(tmp_path / "one"))
    assert run(["token", "Ada", "--home", str(tmp_path / "course")]) == 0
    assert Tokens(tmp_path / "course").find(capsys.readouterr().out.strip()).name == "Ada"
    assert not (tmp_path / "one").exists()
