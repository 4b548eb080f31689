"""`arena play --reports` and `--tree`: what agents claim, in the terminal."""

import re

from arena.cli import run


def played(capsys, tmp_path, *words):
    code = run(["play", "mcts:simulations=60", "random", "--turns", "2", "--db", str(tmp_path / "a.db"), *words])
    told = capsys.readouterr()
    return code, told.out, told.err


def test_claims_stand_before_the_moves_and_the_tree_below_them(capsys, tmp_path):
    code, out, _ = played(capsys, tmp_path, "--reports", "--tree", "2")
    assert code == 0
    before, _, _ = out.partition("turn 1: ")
    assert re.search(r"^claim    value 0\.\d{3}, depth \d+, 60 nodes, line [a-d][1-5]", before, re.MULTILINE)
    assert re.search(r"^    [a-d][1-5][a-d][1-5] +\d+  [01]\.\d{3}$", before, re.MULTILINE)
    assert re.search(r"^        [a-d][1-5][a-d][1-5] +\d+  [01]\.\d{3}$", before, re.MULTILINE)
    assert out.count("claim    ") == 1  # the random agent claims nothing


def test_without_a_tree_the_most_visited_moves_are_printed(capsys, tmp_path):
    _, out, _ = played(capsys, tmp_path, "--reports")
    assert re.search(r"^visits   ([a-d][1-5][a-d][1-5] \d+, ){4}[a-d][1-5][a-d][1-5] \d+$", out, re.MULTILINE)
    assert "\n    " not in out.partition("turn 1: ")[0].partition("claim")[2]


def test_a_tree_without_reports_is_a_mistake(capsys, tmp_path):
    code, out, err = played(capsys, tmp_path, "--tree", "2")
    assert (code, out) == (2, "")
    assert "add --reports" in err
