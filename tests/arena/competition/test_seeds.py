"""Dice that nobody can foretell, and everybody with the secret can throw again."""

from arena.competition.seeds import derive, new_secret


def test_the_same_words_give_the_same_seed() -> None:
    assert derive("secret", "1:1-2", "first") == derive("secret", "1:1-2", "first")


def test_every_word_matters() -> None:
    seeds = {
        derive("secret", "1:1-2", "first"), derive("secret", "1:1-2", "second"), derive("secret", "1:2-1", "first"),
        derive("other", "1:1-2", "first"), derive("secret", "1:1-2first"),
    }  # fmt: skip
    assert len(seeds) == 5


def test_a_seed_fits_into_a_column_of_sqlite() -> None:
    assert all(0 <= derive("s", str(number)) < 1 << 63 for number in range(1000))


def test_secrets_differ() -> None:
    assert new_secret() != new_secret()
