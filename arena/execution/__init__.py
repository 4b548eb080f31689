"""Executors, which perform the tasks of a league: inline in this process, or on local worker processes.

`executor` is the protocol, `executors` opens one, `workers` coordinates worker processes, `worker` is such a process.
May import the rooms referee, sandbox and process.
"""
