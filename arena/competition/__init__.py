"""What is played, and what has happened: settings, plans, leagues and their queues, events.

May import the rooms execution, referee, sandbox, process, entrants and formats.
"""
