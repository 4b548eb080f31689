"""Running things: referee, clock, schedule, league, command line."""
