"""The rules a player can break are documented for those who must keep them."""

import re
from pathlib import Path

from agents.seat import RULES
from arena.cli import COMMANDS

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")


def rows() -> dict[str, list[str]]:
    found = re.findall(r"^\| `([a-z-]+)` \|(.*)\|$", README, re.MULTILINE)
    return {rule: [cell.strip() for cell in rest.split("|")] for rule, rest in found if rule in RULES}


def test_the_readme_explains_every_rule_with_an_example() -> None:
    assert rows().keys() == RULES.keys()
    for rule, (meaning, example) in rows().items():
        assert meaning == RULES[rule]
        assert example


def test_the_readme_says_what_is_out_of_scope() -> None:
    assert "bugs of the Linux kernel itself" in README
    assert "side channels" in README
    assert "virtual machine" in README


def test_the_order_of_the_commands_is_that_of_the_design() -> None:
    order = (
        "league ladder stop enter withdraw replace extend rename remove standings play benchmark match submit "
        "submissions new check leagues records show why rerun exclude export report "
        "token serve study engine train agents games doctor"
    )
    assert order.split() == list(COMMANDS)
