"""The sandbox: how a player's process is confined, and how its forbidden system calls become faults.

`boot` and `zygote` start the process from which players are forked, `launch` is the referee's side of it, `lockdown` is
what a player does to itself before it runs agent code, `policy` and `watch` judge its system calls. `hostile` is the
agent of `arena doctor`. May import the room process.
"""
