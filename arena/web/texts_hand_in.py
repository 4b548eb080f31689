"""The words of tokens, submissions and announcements, in English and Korean."""

from collections.abc import Mapping
from typing import Final

__all__ = ["HAND_IN"]

HAND_IN: Final[Mapping[str, tuple[str, str]]] = {
    "token": ("Token", "토큰"),
    "sign_in": ("Sign in", "로그인"),
    "sign_out": ("Sign out", "로그아웃"),
    "signed_in_as": ("Signed in as", "로그인한 사용자:"),
    "participant": ("participant", "참가자"),
    "organiser": ("organiser", "주최자"),
    "about_tokens": (
        "The organiser gives you a token. It says who you are; keep it to yourself.",
        "주최자가 토큰을 드립니다. 토큰은 본인을 확인하는 데 쓰이므로 다른 사람에게 알리지 마세요.",
    ),
    "wrong_token": ("This token is not known, or it was revoked.", "알 수 없거나 취소된 토큰입니다."),
    "hand_in": ("Hand in", "제출"),
    "what_to_send": (
        "Send a Python file (.py), or a zip archive of a folder.",
        "파이썬 파일(.py) 또는 폴더를 압축한 zip 파일을 보내세요.",
    ),
    "most_bytes": ("Largest size in bytes:", "최대 크기(바이트):"),
    "checked_in": ("It is checked in the sandbox in two games of", "샌드박스에서 두 번 대국하며 검사합니다. 게임:"),
    "needs_approval": (
        "If it breaks no rule, the organiser decides whether it is accepted.",
        "규칙을 어기지 않으면 주최자가 승인 여부를 결정합니다.",
    ),
    "enters_league": (
        "If it breaks no rule, it enters the league",
        "규칙을 어기지 않으면 다음 리그에 참가합니다:",
    ),
    "file": ("file", "파일"),
    "upload_name": ("Name of the agent (else that of the file)", "에이전트 이름(없으면 파일 이름)"),
    "upload_class": ("Class, if the file has several", "클래스(파일에 여러 개가 있을 때)"),
    "about": ("description", "설명"),
    "by_program": ("From a program", "프로그램에서 제출하기"),
    "your_uploads": ("Your uploads", "내가 보낸 파일"),
    "no_uploads": ("You have sent nothing yet.", "아직 보낸 파일이 없습니다."),
    "your_versions": ("Your versions", "내 버전"),
    "no_versions": ("No agent of yours is accepted yet.", "아직 승인된 에이전트가 없습니다."),
    "to_decide": ("Waiting for your decision", "결정을 기다리는 제출"),
    "nothing_to_decide": ("Nothing waits for a decision.", "결정을 기다리는 제출이 없습니다."),
    "upload_queued": ("waits for its check, or is being checked", "검사 대기 중이거나 검사 중"),
    "upload_failed": ("failed", "불합격"),
    "upload_waiting": ("passed, waits for the organiser", "합격, 주최자의 결정 대기 중"),
    "upload_accepted": ("accepted", "승인됨"),
    "upload_refused": ("refused by the organiser", "주최자가 거절함"),
    "usable_as": ("Its name wherever an agent is named:", "에이전트를 지정할 때 쓰는 이름:"),
    "approve": ("Approve", "승인"),
    "refuse": ("Refuse", "거절"),
    "ahead": ("Agents that are checked before it", "앞에서 기다리는 에이전트"),
    "look_again": ("Look again", "다시 보기"),
    "never_ready": ("never ready", "시작하지 못함"),
    "startup": ("start-up", "시작 시간"),
    "sandbox": ("sandbox", "샌드박스"),
    "check": ("check", "검사"),
    "passed": ("passed: it broke no rule", "합격: 규칙을 어기지 않았습니다"),
    "failed": ("failed", "불합격"),
    "printed": ("Printed by the agent", "에이전트가 출력한 내용"),
    "refused_calls": ("Refused system calls, which are no fault", "거부된 시스템 호출(반칙 아님)"),
}
