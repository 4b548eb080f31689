"""Agents that do not look ahead.

Imports `agents.base`, `agents.options` and `games`.
"""
