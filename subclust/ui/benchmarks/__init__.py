"""The Benchmarks page: published figures beside ours."""
