"""Entrants: how an agent or engine is named, found, staged, hashed and submitted.

Code of an agent is read here as text and never imported. This room imports no other room of `arena`.
"""
