"""Studies: leagues and measurements that answer a question, with a report. May import every room but cli and engine."""
