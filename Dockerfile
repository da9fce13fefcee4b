# docker build -t subclust .
# docker run -p 127.0.0.1:8501:8501 -v subclust-data:/app/data -v subclust-models:/app/models subclust
# or, with a worker and TLS: docker compose up
FROM python:3.11-slim AS packages

ENV PIP_NO_CACHE_DIR=1 \
    PIP_NO_COMPILE=1 \
    PIP_DISABLE_PIP_VERSION_CHECK=1 \
    PIP_ROOT_USER_ACTION=ignore \
    PIP_DEFAULT_TIMEOUT=60 \
    PIP_RETRIES=8

WORKDIR /app

# PyTorch as built without CUDA: this index has it under the version that is asked for.
ARG PYTORCH_INDEX=https://download.pytorch.org/whl/cpu
COPY pyproject.toml ./
RUN python -c "import tomllib; project = tomllib.load(open('pyproject.toml', 'rb'))['project']; print(*project['dependencies'], *project['optional-dependencies']['accounts'], sep='\n')" > /tmp/requirements.txt \
    && pip install --target /packages --extra-index-url "$PYTORCH_INDEX" -r /tmp/requirements.txt
# What only developers of these packages need: a third of their size. strip is of binutils.
COPY deploy/slim.sh /tmp/slim.sh
# hadolint ignore=DL3008,DL3009
RUN apt-get update && apt-get install --yes --no-install-recommends binutils \
    && sh /tmp/slim.sh /packages

FROM python:3.11-slim

# Synonyms, and translation to Spanish and back, for the themes of a whole collection.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends wordnet-base apertium-eng-spa \
    && rm -rf /var/lib/apt/lists/*

WORKDIR /app
RUN useradd --create-home --uid 1000 subclust && install --directory --owner=subclust data models
COPY --from=packages /packages /usr/local/lib/python3.11/site-packages
COPY pyproject.toml README.md LICENSE ./
COPY .streamlit .streamlit
COPY subclust subclust
# What ships lies where no volume hides it, so a newer image brings newer models; those that are made
# here lie in the volume, whichever version made them.
COPY models shipped
# Nothing but the volumes and /tmp is written to, so the root file system may be read-only.
ENV PYTHONUNBUFFERED=1 \
    PYTHONPYCACHEPREFIX=/tmp/compiled \
    HOME=/tmp \
    SUBCLUST_LOG=json \
    SUBCLUST_SHIPPED_MODELS_DIR=/app/shipped \
    SUBCLUST_MODELS_DIR=/app/models

USER 1000
VOLUME ["/app/data", "/app/models"]
EXPOSE 8501

# The first start builds the demo library before the app answers.
HEALTHCHECK --interval=30s --timeout=5s --start-period=10m --retries=3 \
    CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://localhost:8501/healthz', timeout=4)"]

# The port is published by whoever runs the container; nothing else is reachable.
CMD ["sh", "-c", "python -m subclust demo && exec python -m subclust serve --host 0.0.0.0 --port 8501 --open-to-all"]
