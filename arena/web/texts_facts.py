"""The words of agents, comparisons, records of note, calibration, studies and announcements, in English and Korean."""

from collections.abc import Mapping
from typing import Final

__all__ = ["FACTS"]

FACTS: Final[Mapping[str, tuple[str, str]]] = {
    "owner": ("owner", "소유자"),
    "hash": ("content hash", "내용 해시"),
    "its_games": ("its games", "대국 목록"),
    "about_places": (
        "Place, points and Elo in each league, the newest first",
        "각 리그의 순위, 승점, Elo(최근 리그부터)",
    ),
    "about_scores": (
        "Score: points per game with half of its 95 % interval",
        "득점률: 대국당 승점과 95 % 신뢰 구간의 절반",
    ),
    "about_opponents": (
        "Score against each opponent: points per game with half of its 95 % interval",
        "상대별 득점률: 대국당 승점과 95 % 신뢰 구간의 절반",
    ),
    "about_slowest": (
        "Moves that cost the most time, in its newest games",
        "최근 대국에서 시간을 가장 많이 쓴 수",
    ),
    "about_faults": ("Games that it lost by breaking a rule, the newest first", "반칙으로 진 대국(최근 대국부터)"),
    "about_code": ("Every version that played under this name", "이 이름으로 참가한 모든 버전"),
    "about_elo": (
        "By all games of each league. LOS: likelihood that the left one is better.",
        "각 리그의 모든 대국 기준. LOS: 왼쪽이 더 강할 확률.",
    ),
    "about_shared": (
        "Score against opponents that both have met (number of games)",
        "두 에이전트가 모두 만난 상대에 대한 득점률(대국 수)",
    ),
    "no_moves": ("It has not made a move of its own.", "직접 둔 수가 없습니다."),
    "more_games": ("more games to settle it", "결정에 필요한 추가 대국 수"),
    "settled": ("settled", "결정됨"),
    "thousands": ("thousands", "수천 판 이상"),
    "shared_opponents": ("Common opponents", "공통 상대"),
    "not_rated": ("They have no rating in a common league.", "함께 참가한 리그의 평점이 없습니다."),
}
