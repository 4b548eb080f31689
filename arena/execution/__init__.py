"""Executors: who performs the tasks of a league, in this process or on local workers.

May import the rooms referee, sandbox and process.
"""
