"""Seeds: unpredictable without the secret of the league, repeatable with it."""

from arena.competition.seeds import derive, new_secret


def test_the_same_parts_give_the_same_seed() -> None:
    assert derive("secret", "1:1-2", "first") == derive("secret", "1:1-2", "first")


def test_every_part_changes_the_seed() -> None:
    seeds = {
        derive("secret", "1:1-2", "first"), derive("secret", "1:1-2", "second"), derive("secret", "1:2-1", "first"),
        derive("other", "1:1-2", "first"), derive("secret", "1:1-2first"),
    }  # fmt: skip
    assert len(seeds) == 5


def test_a_seed_fits_into_an_sqlite_integer() -> None:
    assert all(0 <= derive("s", str(number)) < 1 << 63 for number in range(1000))


def test_every_league_gets_a_new_secret() -> None:
    assert new_secret() != new_secret()
