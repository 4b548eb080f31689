"""How a move is charged to a player's clock."""

from typing import Literal, TypeAlias

__all__ = ["Charge", "charged"]

#: `fair` leaves out the time in which the machine ran something else; `wall` and `cpu` are plain clocks.
Charge: TypeAlias = Literal["fair", "wall", "cpu"]


def charged(charge: Charge, *, wall: float, cpu: float, wait: float) -> float:
    """The seconds to charge for a move; `wait` is how long the process was ready to run but did not run."""
    if charge == "wall":
        return wall
    return cpu if charge == "cpu" else max(cpu, wall - wait)
