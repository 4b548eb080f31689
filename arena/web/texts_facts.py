"""The words of agents, comparisons, records of note, calibration, studies and announcements, in English and Korean."""

from collections.abc import Mapping
from typing import Final

__all__ = ["FACTS"]

FACTS: Final[Mapping[str, tuple[str, str]]] = {
    "only_rows": (
        "The standings and ratings show only the best entrants; /api/standings has all. Shown",
        "순위표와 평점에는 상위 참가자만 표시됩니다. 전체는 /api/standings 참고. 표시 수",
    ),
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
    "announcements": ("Announcements", "공지"),
    "notable": ("Records of note", "주목할 만한 기록"),
    "about_notable": ("Among the newest games of this file", "이 파일의 최근 대국 중에서"),
    "what": ("what", "종류"),
    "amount": ("how much", "정도"),
    "note_longest": ("longest game", "가장 긴 대국"),
    "note_quickest": ("quickest win", "가장 빠른 승리"),
    "note_narrowest": ("narrowest win", "가장 근소한 승리"),
    "note_surprise": ("greatest surprise (Elo below the loser)", "최대 이변(패자보다 낮은 Elo)"),
    "note_fault": ("latest broken rule", "최근 반칙"),
    "calibration": ("Calibration of claims", "주장의 보정"),
    "about_calibration": (
        "Before a move a search may claim its expected score, from 0 to 1 (games with --reports). Of all moves with a "
        "claim near 0.7, an agent that knows itself should make 0.7 points per game. Above the diagonal it was too "
        "modest, below it hoped for too much.",
        "탐색은 수를 두기 전에 0에서 1 사이의 기대 득점을 주장할 수 있습니다(--reports로 진행한 대국). 자신을 잘 아는 "
        "에이전트라면 0.7 근처로 주장한 수들에서 실제로 대국당 0.7점을 얻어야 합니다. 대각선보다 위면 겸손했고, 아래면 "
        "지나치게 낙관했습니다.",
    ),
    "no_claims": ("No game with claims is stored.", "주장이 저장된 대국이 없습니다."),
    "perfect": ("perfect", "완벽한 보정"),
    "claimed_value": ("claimed", "주장한 값"),
    "moves": ("moves", "수"),
    "bias": ("bias", "편향"),
    "about_brier": (
        "Bias: average claim minus average score. Brier: average squared difference of claim and score, 0 is perfect.",
        "편향: 평균 주장에서 평균 득점을 뺀 값. Brier: 주장과 득점 차이 제곱의 평균, 0이 완벽.",
    ),
    "about_bins": (
        "score by claimed value, with 95 % intervals over games",
        "주장한 값별 득점과 대국 기준 95 % 신뢰 구간",
    ),
    "all_leagues": ("All leagues", "모든 리그"),
    "studies": ("Studies", "연구"),
    "about_studies": (
        "A study plays leagues and takes measures that test an earlier claim: arena study NAME.",
        "연구는 이전의 주장을 검증하는 리그를 진행하고 측정합니다: arena study NAME.",
    ),
    "report": ("Report", "보고서"),
    "reports": ("Reports in the folder “studies” beside the results file", "결과 파일 옆 “studies” 폴더의 보고서"),
    "bundled_studies": ("Studies that come with arena", "arena에 포함된 연구"),
    "no_reports": ("There is no report yet.", "아직 보고서가 없습니다."),
    "question": ("Question", "질문"),
    "claim": ("Earlier claim", "이전의 주장"),
    "how_to_run": ("Run it with", "실행 방법:"),
    "not_run": ("There is no report of this study yet.", "이 연구의 보고서가 아직 없습니다."),
    "not_rated": ("They have no rating in a common league.", "함께 참가한 리그의 평점이 없습니다."),
}
