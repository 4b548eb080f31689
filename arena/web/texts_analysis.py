"""The words of the pages on which agents analyse positions and play games again, in English and Korean."""

from collections.abc import Mapping
from typing import Final

__all__ = ["ANALYSIS"]

ANALYSIS: Final[Mapping[str, tuple[str, str]]] = {
    "from_this_game": ("From this game", "이 대국에서"),
    "analyse": ("Analyse", "분석하기"),
    "play_again": ("Play it again and compare", "다시 대국해서 비교하기"),
    "analysis": ("Analysis", "분석"),
    "about_analysis": (
        "An agent thinks about one position, in its sandbox. What it says is its own claim.",
        "에이전트가 샌드박스 안에서 한 국면을 생각합니다. 표시되는 내용은 에이전트의 주장입니다.",
    ),
    "think_for": ("{n} s", "{n}초"),
    "position_of": ("Game {record}, after turn {turn} of {turns}", "{record}번 대국, {turns}수 중 {turn}수 다음"),
    "turn_back": ("One turn back", "한 수 뒤로"),
    "turn_on": ("One turn on", "한 수 앞으로"),
    "is_over_here": ("The game is over in this position.", "이 국면에서 대국이 끝났습니다."),
    "thinks_now": ("{name} thinks", "{name} 생각 중"),
    "agent_starts": ("{name} starts", "{name} 시작하는 중"),
    "plays_after": ("{name} would play {move}, after {seconds} s", "{name}의 선택: {move} ({seconds}초)"),
    "no_answer": ("{name} gave no move: {why}", "{name}의 답이 없습니다: {why}"),
    "was_stopped": ("Stopped.", "멈췄습니다."),
    "value_of_first": ("expected score of first {value}", "선수의 기대 득점 {value}"),
    "depth": ("depth {n}", "깊이 {n}"),
    "nodes": ("{n} nodes", "노드 {n}개"),
    "speed": ("{n} nodes/s", "초당 노드 {n}개"),
    "expected_line": ("Expected line", "예상 수순"),
    "line_start": ("Back to the position", "처음 국면으로"),
    "line_back": ("One move back", "한 수 뒤로"),
    "line_on": ("One move on", "한 수 앞으로"),
    "on_board": ("On the board", "판 위에 표시"),
    "show_visits": ("visits", "방문 수"),
    "show_policy": ("policy", "정책"),
    "show_nothing": ("nothing", "없음"),
    "candidates": ("Candidates", "후보 수"),
    "visits": ("visits", "방문 수"),
    "share": ("share", "비율"),
    "policy": ("policy", "정책"),
    "value_first": ("score of first", "선수의 득점"),
    "tree": ("Tree", "탐색 트리"),
    "tree_node": ("{move}: {visits} visits, score of first {value}", "{move}: 방문 {visits}회, 선수의 득점 {value}"),
    "back_to_game": ("Back to the game", "대국으로 돌아가기"),
    "rerun": ("Played again", "다시 둔 대국"),
    "about_rerun": (
        "The same agents play game {record} again from its seeds. The new game is not stored.",
        "같은 에이전트가 {record}번 대국을 같은 시드로 다시 둡니다. 새 대국은 저장되지 않습니다.",
    ),
    "rerun_same": ("turn {turn} of {turns}: the same moves so far", "{turns}수 중 {turn}수: 지금까지 같습니다"),
    "rerun_differs": ("turn {turn}: it differs from turn {differs} on", "{turn}수: {differs}수부터 다릅니다"),
}
