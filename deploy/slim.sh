#!/bin/sh
# slim.sh FOLDER: remove from installed packages what no program of ours runs.
set -eu
cd "$1"
find . -type d \( -name tests -o -name test -o -name __pycache__ \) -prune -exec rm -rf {} +
rm -rf torch/include torch/bin torch/share pyarrow/include pydeck/nbextension bin
find . -name "*.a" -delete
