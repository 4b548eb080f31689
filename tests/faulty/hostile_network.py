"""Agents that try to use the network."""

import asyncio
import ctypes
import os
import socket
import urllib.request

from agents.basic.debug_agent import FirstMoveAgent as Honest

LIBC = ctypes.CDLL(None, use_errno=True)


class ConnectsTcp(Honest):
    def act(self, state):
        try:
            socket.create_connection(("127.0.0.1", 9), timeout=1)
        except ConnectionRefusedError:
            print("reached")
        return super().act(state)


class ConnectsTcp6(Honest):
    def act(self, state):
        socket.socket(socket.AF_INET6, socket.SOCK_STREAM)
        print("reached")
        return super().act(state)


class SendsUdp(Honest):
    def act(self, state):
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"move", ("127.0.0.1", 9))
        print("reached")
        return super().act(state)


class Listens(Honest):
    def act(self, state):
        socket.create_server(("127.0.0.1", 0))
        print("reached")
        return super().act(state)


class TalksAbstractly(Honest):
    def act(self, state):
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).bind(f"\0hostile-{os.getpid()}")
        print("reached")
        return super().act(state)


class LooksUpName(Honest):
    def act(self, state):
        try:
            socket.getaddrinfo("arena.invalid", 80)
        except socket.gaierror:
            print("reached")
        return super().act(state)


class LooksUpUrl(Honest):
    def act(self, state):
        urllib.request.urlopen("http://arena.invalid/", timeout=1)
        return super().act(state)


class OpensSocketByNumber(Honest):
    def act(self, state):
        if LIBC.socket(socket.AF_INET, socket.SOCK_STREAM, 0) < 0:
            raise OSError(ctypes.get_errno(), "socket")
        print("reached")
        return super().act(state)


class OpensNetlink(Honest):
    def act(self, state):
        socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)
        print("reached")
        return super().act(state)


class OpensPackets(Honest):
    def act(self, state):
        socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0)
        return super().act(state)


class AddressesItsOwnSocket(Honest):
    """Sends from its own socket to another address."""

    def act(self, state):
        one, _ = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
        one.sendto(b"move", "\0somebody")
        return super().act(state)


class ConnectsAsynchronously(Honest):
    def act(self, state):
        asyncio.run(asyncio.open_connection("127.0.0.1", 9))
        return super().act(state)


class PassesDescriptors(Honest):
    """Sending descriptors is refused, also between its own sockets."""

    def act(self, state):
        one, _ = socket.socketpair()
        try:
            socket.send_fds(one, [b"x"], [0])
            print("passed")
        except PermissionError:
            print("refused")
        return super().act(state)
