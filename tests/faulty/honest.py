"""Agents that use many libraries and break no rule: none of them may lose by a fault."""

import asyncio
import dataclasses
import datetime
import decimal
import faulthandler
import functools
import getpass
import hashlib
import io
import json
import locale
import logging
import os
import pickle
import platform
import random
import re
import secrets
import sqlite3
import sys
import tempfile
import threading
import time
import traceback
import uuid
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from agents import BaseAgent


class Honest(BaseAgent):
    """Does something harmless before each move."""

    def act(self, state):
        self.work()
        return next(iter(state.legal_moves))

    def work(self):
        """Overridden by each subclass."""


class Asynchronous(Honest):
    def work(self):
        async def think():
            await asyncio.gather(*(asyncio.sleep(0) for _ in range(10)))
            return await asyncio.to_thread(sum, range(100))

        assert asyncio.run(think()) == 4950


class Threaded(Honest):
    def work(self):
        with ThreadPoolExecutor(2) as pool:
            assert list(pool.map(abs, range(-10, 0))) == list(range(10, 0, -1))
        timer = threading.Timer(0.001, print)
        timer.start()
        timer.join()


class LinearAlgebra(Honest):
    def work(self):
        matrix = np.random.default_rng(1).random((64, 64)) + np.eye(64) * 64
        assert np.allclose(matrix @ np.linalg.inv(matrix), np.eye(64))
        np.linalg.svd(matrix)
        np.linalg.eig(matrix)
        np.fft.fft(matrix)


class RollsDice(Honest):
    def work(self):
        random.shuffle([1, 2, 3])
        self.rng.random()
        np.random.default_rng().integers(10)
        secrets.token_bytes(8)
        random.SystemRandom().random()
        os.urandom(8)
        uuid.uuid4()
        uuid.uuid5(uuid.NAMESPACE_DNS, "x")


class Hashes(Honest):
    def work(self):
        import ssl

        for name in ("md5", "sha256", "blake2b", "sha3_256"):
            hashlib.new(name, b"x").hexdigest()
        hashlib.scrypt(b"x", salt=b"y", n=2, r=1, p=1)
        assert ssl.OPENSSL_VERSION


class UsesTemporaryFiles(Honest):
    def work(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "notes.json"
            path.write_text("{}")
            path.rename(path.with_suffix(".old"))
            (path.parent / "link").symlink_to("notes.old")
            (path.parent / "inner").mkdir()
            os.makedirs(path.parent / "inner", exist_ok=True)
        with tempfile.TemporaryFile() as nameless, tempfile.NamedTemporaryFile() as named:
            nameless.write(b"x")
            named.write(b"x")
        np.save(Path(tempfile.gettempdir()) / "table.npy", np.zeros(4))


class Logs(Honest):
    def work(self):
        logging.basicConfig(level=logging.DEBUG, force=True)
        logging.getLogger("me").info("thinking")
        print("thought", file=sys.stderr)


class Prints(Honest):
    def work(self):
        print("thinking about it", flush=True)


class Warns(Honest):
    def work(self):
        warnings.warn("this is only a warning", stacklevel=2)
        try:
            raise ValueError("handled")
        except ValueError:
            traceback.print_exc()
            traceback.print_stack()
        logging.getLogger("me").error("handled", exc_info=True)


class Dumps(Honest):
    def work(self):
        faulthandler.enable()
        faulthandler.dump_traceback()


class KnowsTheTime(Honest):
    def work(self):
        assert time.localtime().tm_year > 2000
        assert datetime.datetime.now().astimezone().tzinfo is not None
        time.strftime("%A %d %B %Y %Z")
        time.sleep(0)
        time.process_time()
        time.tzset()


class KnowsTheMachine(Honest):
    def work(self):
        assert os.cpu_count()
        assert len(os.sched_getaffinity(0)) >= 1
        platform.platform()
        platform.processor()
        platform.node()
        platform.python_version()
        platform.libc_ver()
        locale.getlocale()
        locale.setlocale(locale.LC_ALL, "")
        os.getcwd()
        os.getpid()
        getpass.getuser()
        os.path.expanduser("~")
        Path.home()
        sys.getrecursionlimit()


class UsesTheStandardLibrary(Honest):
    def work(self):
        @dataclasses.dataclass
        class Node:
            value: int

        assert json.loads(json.dumps({"a": [1.5, None]})) == {"a": [1.5, None]}
        assert re.fullmatch(r"(\w)\1", "aa")
        assert decimal.Decimal(1) / 3 != 0
        assert Node(1) == Node(1)
        assert pickle.loads(pickle.dumps({1, 2})) == {1, 2}
        assert functools.lru_cache(len)("abc") == 3
        io.StringIO("x").read()
        database = sqlite3.connect(":memory:")
        assert database.execute("SELECT 1").fetchone() == (1,)
        database.close()


class ImportsALot(Honest):
    def work(self):
        import collections
        import csv
        import ctypes
        import email
        import html.parser
        import http.client
        import importlib.metadata
        import inspect
        import itertools
        import multiprocessing
        import socket
        import statistics
        import string
        import subprocess
        import unittest.mock
        import urllib.request
        import xml.etree.ElementTree
        import zipfile

        modules = [
            collections, csv, ctypes, email, html, http, importlib, inspect, itertools, multiprocessing, socket,
            statistics, string, subprocess, unittest, urllib, xml, zipfile,
        ]  # fmt: skip
        assert all(modules)
        assert multiprocessing.cpu_count() >= 1


class AsksForWhatIsNotThere(Honest):
    """Looks for a file that may not exist, as many libraries do."""

    def work(self):
        for path in ("weights.pt", "/nonexistent/config.toml", str(Path.home() / ".config" / "agent.toml")):
            assert not os.path.exists(path)
            try:
                open(path).close()
            except FileNotFoundError:
                continue
            raise AssertionError(path)


class HandlesRefusals(Honest):
    """Without a scratch folder it cannot write a file; the standard library raises its usual error."""

    def work(self):
        try:
            tempfile.mkdtemp()
        except OSError:
            print("no place")


class KeepsAThread(Honest):
    """Has a thread that only waits, which is not pondering."""

    def __init__(self, name, color):
        super().__init__(name, color)
        self.event = threading.Event()
        threading.Thread(target=self.event.wait, daemon=True).start()


class SetsAlarm(Honest):
    """Limits its own time with a timer."""

    def work(self):
        import signal

        signal.signal(signal.SIGALRM, lambda *_: None)
        signal.setitimer(signal.ITIMER_REAL, 0.001)
        signal.pause()
