"""The app as it is visited: how soon its pages answer, and how many visitors at once."""
