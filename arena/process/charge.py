"""How the cost of a move is charged to a player's clock."""

from typing import Literal, TypeAlias

__all__ = ["Charge", "charged"]

#: `wall` and `cpu` charge that time. `fair` charges wall time, except while the machine ran other processes.
Charge: TypeAlias = Literal["fair", "wall", "cpu"]


def charged(charge: Charge, *, wall: float, cpu: float, wait: float) -> float:
    """The seconds to charge for a move; in `wait` of them the process was ready to run but did not run."""
    if charge == "wall":
        return wall
    return cpu if charge == "cpu" else max(cpu, wall - wait)
