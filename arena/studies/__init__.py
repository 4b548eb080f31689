"""Studies: leagues, measures and training runs that answer a question, with a report.

A study is read from a TOML file (`study`, `training_part`). Its leagues are played (`leagues`), its measures taken
(`measure`) and its training runs trained (`training`) by `run`, which returns a `StudyResult` (`result`). `report`
writes it as a page, Markdown and JSON, with the tables of `tables`. May import every room of arena except `cli` and
`engine`.
"""
