"""The Train page: a labelled set, a choice, a run and its outcome."""
