"""The dice of the native searches (xoshiro256++), so that a search in Python throws the same numbers."""

from typing import Final

__all__ = ["Dice"]

_WORD: Final = (1 << 64) - 1


class Dice:
    """Whole numbers that the seed decides."""

    def __init__(self, seed: int) -> None:
        self._words = [_mixed(seed + turn * 0x9E3779B97F4A7C15 & _WORD) for turn in range(1, 5)]

    def below(self, limit: int) -> int:
        """A number from 0 to `limit` - 1."""
        return (self._next() >> 32) * limit >> 32

    def _next(self) -> int:
        words = self._words
        answer = _turned(words[0] + words[3] & _WORD, 23) + words[0] & _WORD
        shifted = words[1] << 17 & _WORD
        words[2] ^= words[0]
        words[3] ^= words[1]
        words[1] ^= words[2]
        words[0] ^= words[3]
        words[2] ^= shifted
        words[3] = _turned(words[3], 45)
        return answer


def _turned(word: int, by: int) -> int:
    return (word << by | word >> (64 - by)) & _WORD


def _mixed(word: int) -> int:
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & _WORD
    word = (word ^ word >> 27) * 0x94D049BB133111EB & _WORD
    return word ^ word >> 31
