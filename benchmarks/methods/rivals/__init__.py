"""What AECL's tables hold it against: self-training, SCCL and RSTC."""
