"""The settings of the learner `self_learning`."""

from dataclasses import dataclass

from agents.self_learning.settings import Settings, setting

__all__ = ["PolicySettings"]


@dataclass(frozen=True, kw_only=True)
class PolicySettings(Settings):
    """The network, the search in self-play, and the loss."""

    network: str = setting(
        "mlp-256-128", "The network: mlp-256-128, residual 2x32 to 10x128 (blocks x channels), C64r6L1024r, L1024r."
    )
    evaluator: str = setting(
        "auto", "What evaluates the network in self-play; auto takes the fastest.",
        choices=("auto", "native", "onnxruntime", "torch", "numpy"),
    )  # fmt: skip
    games: int = setting(100, "Games in a chunk of self-play.", live=True, least=1, most=1_000_000)
    parallel: int = setting(
        0, "Games that are played at once, so that their positions are evaluated together. 0: what suits the network.",
        least=0, most=4096,
    )  # fmt: skip
    simulations: int = setting(200, "Simulations of a full search.", live=True, least=1, most=100_000)
    fast: int = setting(40, "Simulations of a fast search (playout cap).", live=True, least=1, most=100_000)
    full_share: float = setting(
        0.3, "Share of the moves that are searched fully. Only they teach the policy.", live=True, least=0, most=1
    )
    record_fast: bool = setting(False, "Whether fast searches teach the value.", live=True)
    c: float = setting(1.5, "How much the search explores.", live=True, least=0, most=100)
    fpu: float = setting(
        0.2, "First-play urgency: an untried move counts less than its parent, by this times the square root of the "
        "prior that was tried.", live=True, least=0, most=10,
    )  # fmt: skip
    leaves: int = setting(1, "Leaves of one tree that are evaluated together.", least=1, most=1024)
    virtual_loss: float = setting(1.0, "How much a simulation in progress counts as a loss.", least=0, most=10)
    noise: float = setting(0.25, "Share of Dirichlet noise in the priors of the root.", live=True, least=0, most=1)
    alpha: float = setting(10.0, "Parameter of the noise, for all moves together.", live=True, least=0.01, most=1000)
    root_temperature: float = setting(
        1.1, "Above 1 the priors of the root become more equal.", live=True, least=0.1, most=10
    )
    forced: float = setting(
        2.0, "Forced playouts: a visited move of the root gets sqrt(forced * prior * visits) simulations, which the "
        "policy target leaves out again. 0: none.", live=True, least=0, most=100,
    )  # fmt: skip
    gumbel: int = setting(
        0, "Moves that Gumbel selection compares at the root; it suits games with many moves. 0: PUCT.", live=True,
        least=0, most=1024,
    )  # fmt: skip
    temperature: float = setting(
        1.0, "Moves are drawn by visits ** (1 / temperature); this is the temperature at the start of a game.",
        live=True, least=0, most=10,
    )  # fmt: skip
    temperature_end: float = setting(0.25, "Temperature late in a game.", live=True, least=0, most=10)
    halflife: float = setting(10.0, "Turns in which the temperature goes half the way.", live=True, least=0, most=1000)
    opening: int = setting(8, "A game begins with 0 to this many random turns.", live=True, least=0, most=1000)
    most_turns: int = setting(
        0, "A game of so many turns is decided as it stands. 0: as the rules say.", live=True, least=0, most=65_000
    )
    surprise: float = setting(
        0.5, "Share of the weight of a sample that follows how much the search differs from the policy.", live=True,
        least=0, most=1,
    )  # fmt: skip
    width: int = setting(0, "Moves in a stored policy. 0: what suits the game.", least=0, most=4096)
    result_share: float = setting(
        0.5, "The target of the value is this share of the result; the rest is the value that the search found.",
        live=True, least=0, most=1,
    )  # fmt: skip
    policy_weight: float = setting(1.0, "Weight of the policy in the loss.", live=True, least=0, most=100)
    value_weight: float = setting(1.0, "Weight of the value in the loss.", live=True, least=0, most=100)
    margin_weight: float = setting(0.15, "Weight of the final margin in the loss.", live=True, least=0, most=100)
    augment: bool = setting(True, "Whether samples are turned and mirrored by the symmetries of the game.", live=True)
