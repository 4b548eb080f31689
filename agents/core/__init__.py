"""What searching agents share: limits, reports, native positions, evaluations of a lead. Used by the search agents."""
