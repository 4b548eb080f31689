"""The words of the site in English and Korean; the browser's language decides, and a switch overrides it."""

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias, get_args

from arena.web.texts_analysis import ANALYSIS
from arena.web.texts_facts import FACTS
from arena.web.texts_hand_in import HAND_IN
from arena.web.texts_play import PLAY

__all__ = ["LANGUAGES", "Language", "Words", "chosen", "words"]

Language: TypeAlias = Literal["en", "ko"]
LANGUAGES: Final[tuple[Language, ...]] = get_args(Language)
Words: TypeAlias = Mapping[str, str]

_TABLE: Final[Mapping[str, tuple[str, str]]] = {
    "home": ("Home", "홈"),
    "live": ("Live", "실시간"),
    "training": ("Training", "학습"),
    "skip": ("Skip to the content", "본문으로 건너뛰기"),
    "switch": ("한국어", "English"),
    "leagues": ("Leagues", "리그"),
    "no_leagues": ("No league is stored in this file yet.", "이 파일에는 아직 저장된 리그가 없습니다."),
    "running_now": ("Running now", "진행 중인 대국"),
    "nothing_runs": ("No game is running now.", "지금 진행 중인 대국이 없습니다."),
    "all_live": ("All running games on boards", "진행 중인 모든 대국 보기"),
    "newest_games": ("Newest games", "최근 대국"),
    "name": ("name", "이름"),
    "kind": ("kind", "종류"),
    "game": ("game", "게임"),
    "entrants": ("entrants", "참가자"),
    "games": ("games", "대국 수"),
    "state": ("state", "상태"),
    "created": ("created", "생성"),
    "running": ("running", "진행 중"),
    "finished": ("finished", "종료"),
    "stopped": ("stopped", "중지됨"),
    "all_games": ("All games", "모든 대국"),
    "newer": ("newer", "최신"),
    "older": ("older", "이전"),
    "record": ("record", "기록"),
    "first": ("first", "선수"),
    "second": ("second", "후수"),
    "result": ("result", "결과"),
    "reason": ("reason", "이유"),
    "turns": ("turns", "수"),
    "progress": ("Progress", "진행률"),
    "download": ("Download", "내려받기"),
    "agent": ("agent", "에이전트"),
    "in_leagues": ("In leagues", "참가한 리그"),
    "league": ("league", "리그"),
    "rank": ("rank", "순위"),
    "points": ("points", "점수"),
    "head_to_head": ("Head to head", "상대 전적"),
    "opponent": ("opponent", "상대"),
    "won": ("won", "승"),
    "drawn": ("drawn", "무"),
    "lost": ("lost", "패"),
    "score": ("score", "득점률"),
    "by_seat": ("Score by seat", "선후수별 성적"),
    "seat": ("seat", "선후수"),
    "code": ("Code", "코드"),
    "version": ("version", "버전"),
    "slowest": ("Slowest moves", "가장 느린 수"),
    "turn": ("turn", "수순"),
    "move": ("move", "수"),
    "time": ("time", "시간"),
    "faults": ("Faults", "반칙"),
    "no_faults": ("It broke no rule.", "반칙이 없습니다."),
    "rule": ("rule", "규칙"),
    "happened": ("what happened", "내용"),
    "compare": ("Compare", "비교"),
    "elo": ("Elo difference", "Elo 차이"),
    "not_found": ("There is no such page.", "페이지가 없습니다."),
    "disconnected": ("connection lost; trying again", "연결이 끊어졌습니다. 다시 시도합니다"),
    "over": ("game over", "대국 종료"),
    "claims": ("claims", "주장"),
    "runs": ("Training runs", "학습 실행"),
    "no_runs": ("There is no training run.", "학습 실행이 없습니다."),
    "footer": ("Served by arena.", "arena 제공."),
}
#: One table for each part of the site.
_TABLES: Final = (
    _TABLE,
    ANALYSIS,
    FACTS,
    HAND_IN,
    PLAY,
)


def words(language: Language) -> Words:
    """All texts in one language."""
    column = LANGUAGES.index(language)
    return {key: both[column] for table in _TABLES for key, both in table.items()}


def chosen(*, wanted: str | None, accepted: str | None) -> Language:
    """The language that was chosen by the switch, else the first of the header `Accept-Language` that we have.

    >>> chosen(wanted=None, accepted="fr, ko-KR;q=0.9, en;q=0.1"), chosen(wanted="en", accepted="ko")
    ('ko', 'en')
    """
    for text in (wanted or "", *(part.strip()[:2].lower() for part in (accepted or "").split(","))):
        for language in LANGUAGES:
            if text == language:
                return language
    return "en"
