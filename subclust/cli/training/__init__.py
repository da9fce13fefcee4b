"""Commands that train and judge, and about the labelled sets they use."""
