"""6b Whole experiments: a controller judged in simulation, measured beside published."""
