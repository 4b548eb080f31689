"""Agents that look ahead."""
