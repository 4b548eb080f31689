"""A child process: how it is started, spoken to, measured, frozen and ended.

Imports no other room. `spawn` and `charge` are light: they import nothing else of arena.
"""
