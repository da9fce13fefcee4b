import json

from benchmarks.published import paper_names


def test_report_writes_checks_and_prints(run, settings, tmp_path):
    status, out, _ = run("report", "--out", tmp_path / "reports")
    written = list((tmp_path / "reports").iterdir())
    assert status == 0 and out.count("Wrote ") == len(written) >= len(paper_names())
    status, out, _ = run("report", "--check", "--out", tmp_path / "reports", "--json")
    assert status == 0 and json.loads(out)["reports"]["qs3m"]["paper"]["name"] == "qs3m"
    (tmp_path / "reports" / "qs3m.md").write_text("older")
    status, out, err = run("report", "--check", "--out", tmp_path / "reports")
    assert status == 1 and out == ""
    assert "qs3m.md" in err and "benchmarks report" in err and err.count("\n") == 1
