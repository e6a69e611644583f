"""Shell text <-> Launch."""
