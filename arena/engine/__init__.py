"""Our agents as engines for other programs: UCI, GTP, Gomocup and NYPC servers.

May import every room but cli and studies.
"""
