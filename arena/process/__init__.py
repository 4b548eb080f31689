"""A child process: started, spoken to, measured, frozen, ended. Imports no other room."""
