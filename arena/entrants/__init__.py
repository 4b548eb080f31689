"""How an agent or engine is named, found, staged, hashed and submitted. Imports no other room."""
