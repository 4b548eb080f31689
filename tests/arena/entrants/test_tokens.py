"""Tokens: printed once, kept as digests, revoked."""

import json
import stat
import threading

import pytest

from arena.entrants.tokens import Tokens
from arena.errors import BadSettings
from results.errors import Damaged

DATE = "2026-05-09T12:00:00.000Z"


def test_a_token_is_found_by_its_text_and_only_a_digest_is_stored(tmp_path):
    tokens = Tokens(tmp_path / "home")
    text = tokens.make("Ada", date=DATE)
    assert len(text) >= 43  # 32 bytes
    assert tokens.find(text).name == "Ada"
    assert tokens.find(text).role == "participant"
    assert tokens.find(f"{text}x") is None
    assert tokens.find("") is None
    stored = tmp_path / "home" / "tokens.json"
    assert text not in stored.read_text()
    assert stat.S_IMODE(stored.stat().st_mode) == 0o600
    assert not list(stored.parent.glob("tokens-*"))


def test_a_revoked_token_is_unknown_also_to_who_has_read_the_file_before(tmp_path):
    reader, writer = Tokens(tmp_path), Tokens(tmp_path)
    ada, bob = writer.make("Ada", date=DATE), writer.make("Bob", role="organiser", date=DATE)
    assert reader.find(ada).name == "Ada"
    writer.revoke("Ada")
    assert reader.find(ada) is None
    assert reader.find(bob).role == "organiser"
    with pytest.raises(BadSettings, match="has no token"):
        writer.revoke("Ada")


@pytest.mark.parametrize("name", ["", " Ada", "a\nb", "\u202e", "x" * 81])
def test_a_token_needs_a_name_that_can_be_shown(tmp_path, name):
    with pytest.raises(BadSettings, match="needs a name"):
        Tokens(tmp_path).make(name, date=DATE)


def test_a_name_has_one_token(tmp_path):
    Tokens(tmp_path).make("Ada", date=DATE)
    with pytest.raises(BadSettings, match="arena token revoke"):
        Tokens(tmp_path).make("Ada", date=DATE)


def test_tokens_that_are_made_at_once_are_all_kept(tmp_path):
    threads = [threading.Thread(target=lambda n=n: Tokens(tmp_path).make(f"p{n}", date=DATE)) for n in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {one.name for one in Tokens(tmp_path).all()} == {f"p{n}" for n in range(20)}


@pytest.mark.parametrize("text", ["", "[1]", '[{"name": "x"}]', "{"])
def test_a_damaged_file_lets_nobody_in(tmp_path, text):
    (tmp_path / "tokens.json").write_text(text)
    with pytest.raises(Damaged, match="make new tokens"):
        Tokens(tmp_path).find("x")


def test_an_unknown_role_lets_nobody_in(tmp_path):
    note = {"name": "x", "digest": "0", "role": "root", "date": DATE}
    (tmp_path / "tokens.json").write_text(json.dumps([note]))
    with pytest.raises(Damaged, match="unknown role"):
        Tokens(tmp_path).all()


@pytest.mark.parametrize("how", ["writable by the group", "writable by all", "a link", "of another user"])
def test_a_file_that_others_could_have_written_lets_nobody_in(tmp_path, monkeypatch, how):
    token, path = Tokens(tmp_path).make("ada", role="organiser", date=DATE), tmp_path / "tokens.json"
    if how == "a link":
        path.rename(tmp_path / "mine.json")
        path.symlink_to(tmp_path / "mine.json")
    elif how == "of another user":
        monkeypatch.setattr("arena.entrants.tokens.os.getuid", lambda: path.stat().st_uid + 1)
    else:
        path.chmod(0o660 if "group" in how else 0o602)
    with pytest.raises(Damaged, match="can be changed by others"):
        Tokens(tmp_path).find(token)
