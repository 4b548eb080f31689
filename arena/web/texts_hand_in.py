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
}
