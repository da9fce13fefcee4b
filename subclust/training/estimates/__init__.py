"""How long a training will take on this machine, from a trial of ten steps."""
