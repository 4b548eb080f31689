"""Agents for Othello: one idea each, and a strong one."""
