"""Agents that do not look ahead."""
