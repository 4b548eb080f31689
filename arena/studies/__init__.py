"""Studies: leagues and measures that answer a question, with a report.

A study is read from a TOML file (`study`), its leagues are played (`leagues`) and its measures taken (`measure`) by
`run`, which returns a `StudyResult` (`result`); `report` writes it as a page, Markdown and JSON. May import every room
of arena except `cli` and `engine`.
"""
