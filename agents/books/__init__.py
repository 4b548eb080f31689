"""Opening books: made by deep search, printed as trees, and checked by deeper search.

They are read by `agents/opening_book.py`, which is all that an agent needs.
"""
