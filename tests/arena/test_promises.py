"""The table of promises in `arena/README.md` names tests that exist."""

import re
from pathlib import Path

TESTS = Path(__file__).parents[1]
README = TESTS.parent / "arena" / "README.md"
REFERENCE = re.compile(r"`((?:tests/)?[a-z_/]+\.py)(?:::(\w+))?`")


def rows() -> list[list[str]]:
    _, _, text = README.read_text(encoding="utf-8").partition("### What is promised")
    table = [line for line in text.partition("Not promised:")[0].splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table[2:]]


def test_every_promise_names_tests_that_exist() -> None:
    assert len(rows()) > 20
    for promise, whom, shown_by in rows():
        assert whom in ("organisers", "participants", "everybody"), promise
        references = REFERENCE.findall(shown_by)
        assert references, promise
        for file, name in references:
            path = TESTS.parent / file if file.startswith("tests/") else TESTS / "arena" / file
            assert path.is_file(), file
            assert not name or f"def {name}(" in path.read_text(encoding="utf-8"), name
