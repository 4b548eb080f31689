"""Engines in any language: the line protocols they speak."""
