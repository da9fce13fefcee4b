from stub_model import stub  # noqa: F401 - a fixture
