"""Rivals of table 2: self-training, SCCL and RSTC, over the same encoder and engine as AECL."""
