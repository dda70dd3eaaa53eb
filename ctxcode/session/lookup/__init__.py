"""Looking things up for the screens: what typed letters may mean. Reads through ports, changes nothing."""
