"""What the container image leaves out of the installed packages, and what has to stay in them."""

import shutil
import subprocess

from subclust.core.settings import PROJECT_ROOT
from subclust.grouping.naming.noun_phrases import _MODELS
from subclust.text.sources.wikidump import DEMO_DUMP

READ = {f"gensim/{DEMO_DUMP}", "torch/bin/torch_shm_manager", "torch/lib/libc10.so"} | {
    f"HanTa/{name}" for name in _MODELS.values()
}
UNREAD = {
    "gensim/test/test_models.py",
    "gensim/test/test_data/another.bz2",
    "torch/bin/test_api",
    "torch/include/torch.h",
    "numpy/core/tests/test_it.py",
    "numpy/core/__pycache__/it.pyc",
    "HanTa/morphmodel_dutch.pgz",
    "scipy/special/it.pyx",
}


def test_what_is_read_stays_and_tests_and_sources_go(tmp_path):
    tools, packages = tmp_path / "tools", tmp_path / "packages"
    tools.mkdir()
    for name in ("sh", "find", "rm"):  # and no strip, which takes real libraries only
        (tools / name).symlink_to(shutil.which(name))
    for name in READ | UNREAD:
        file = packages / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("")
    script = str(PROJECT_ROOT / "deploy" / "slim.sh")
    subprocess.run(
        [tools / "sh", script, packages], check=True, env={"PATH": str(tools)}, timeout=60
    )
    left = {str(path.relative_to(packages)) for path in packages.rglob("*") if path.is_file()}
    assert left == READ
