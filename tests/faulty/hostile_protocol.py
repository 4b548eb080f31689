"""Agents that write to the referee's socket themselves, or answer with odd moves."""

import os
import socket
import sys
import time

from agents.basic.debug_agent import FirstMoveAgent as Honest


def wire():
    """The agent's own end of the socket."""
    return socket.socket(fileno=os.dup(3))


def tag():
    """The tag of the current request, found in the frames of the stack."""
    frame = sys._getframe()
    while "tag" not in frame.f_locals:
        frame = frame.f_back
    return frame.f_locals["tag"]


class ClosesWire(Honest):
    def act(self, state):
        os.close(3)
        time.sleep(3600)


class SpeaksEarly(Honest):
    """Sends the answer to its first turn before the request."""

    def reset(self):
        wire().send(tag() + b"k")
        wire().send(b"12345678ma2a3")


class SpeaksInAdvance(Honest):
    def act(self, state):
        move = super().act(state)
        wire().send(tag() + b"m" + str(move).encode())
        wire().send(b"12345678md2d3")
        return move


class WrongTag(Honest):
    def act(self, state):
        wire().send(b"12345678m" + str(super().act(state)).encode())
        time.sleep(3600)


class GiantMessage(Honest):
    def act(self, state):
        wire().send(tag() + b"m" + b"x" * 150_000)
        return super().act(state)


class LongError(Honest):
    def act(self, state):
        wire().send(tag() + b"e" + b"x" * 20_000)
        return super().act(state)


class Binary(Honest):
    def act(self, state):
        wire().send(tag() + bytes(range(256)))
        return super().act(state)


class Empty(Honest):
    """An empty datagram looks like a closed connection."""

    def act(self, state):
        wire().send(b"")
        time.sleep(3600)


class TagOnly(Honest):
    def act(self, state):
        wire().send(tag())
        return super().act(state)


def flood(message):
    """Send as many messages as the socket takes, then never answer."""
    line = wire()
    line.setblocking(False)
    try:
        while True:
            line.send(tag() + message)
    except BlockingIOError:
        time.sleep(3600)


class Floods(Honest):
    def act(self, state):
        flood(b"m" + b"x" * 1000)


class FloodsInAdvance(Honest):
    """A legal move first, then as many messages as fit."""

    def act(self, state):
        flood(b"m" + str(super().act(state)).encode())


class ForgesResult(Honest):
    def act(self, state):
        wire().send(tag() + b"w1-0")
        return super().act(state)


class SaysDone(Honest):
    def act(self, state):
        wire().send(tag() + b"k")
        time.sleep(3600)


class IllegalMove(Honest):
    def act(self, state):
        return "a1a1"


class NullMove(Honest):
    def act(self, state):
        return "0000"


class OpponentsMove(Honest):
    def act(self, state):
        return "a4a3"


class BadSpelling(Honest):
    def act(self, state):
        return f" {super().act(state)} ".upper()


class ClaimsResult(Honest):
    def act(self, state):
        return "1-0"


class NoMove(Honest):
    def act(self, state):
        return None


class EscapeMove(Honest):
    def act(self, state):
        return "\x1b[2J\x1b]0;hacked\x07\n\udc80"


class EscapeError(Honest):
    def act(self, state):
        raise ValueError("\x1b[2J\u202e\udc80\n" + "megabytes" * 200_000)


class EscapePrint(Honest):
    def act(self, state):
        os.write(1, b"\x1b[2J\xff\xfe\r\x00 printed")
        return super().act(state)
