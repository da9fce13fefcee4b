"""The training loop of all methods: learner, run, state, trainer and workers."""
