#!/bin/sh
# slim.sh FOLDER: remove from installed packages what no program of ours runs or reads.
set -eu
cd "$1"
# The demo library is made of articles among gensim's tests.
demo=gensim/test/test_data/enwiki-latest-pages-articles1.xml-p000000010p000030302-shortened.bz2
find gensim/test -type f ! -path "$demo" -delete
find . -type d \( -name tests -o -name test -o -name __pycache__ \) ! -path ./gensim/test -prune -exec rm -rf {} +
rm -rf torch/include torch/share pyarrow/include pydeck/nbextension plotly/labextension \
    plotly/package_data/datasets share/jupyter bin
find torch/bin -type f ! -name torch_shm_manager -delete  # importing torch asks for that one
# Arrow over the network, and a tagger of Dutch.
rm -f pyarrow/*flight* HanTa/morphmodel_dutch.pgz
find . -type f \( -name "*.a" -o -name "*.c" -o -name "*.cpp" -o -name "*.h" -o -name "*.hpp" \
    -o -name "*.pyx" -o -name "*.pxd" -o -name "*.pyi" -o -name "*.map" \) -delete
# Symbols that only a debugger reads. Libraries that auditwheel has patched do not survive it.
if command -v strip > /dev/null; then
    strip --strip-unneeded torch/lib/libtorch*.so llvmlite/binding/libllvmlite.so pyarrow/libarrow*.so.* \
        pyarrow/libparquet.so.*
fi
