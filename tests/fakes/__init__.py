"""Stand-ins for the outside world, used by the tests."""
