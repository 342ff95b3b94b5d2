# assay in a container: an ordinary user, nothing to write to but /tmp and /work. docs/containers.md has the flags to run it with.
# Not built in CI, whose machines have no container engine: what Docker's defaults take away is emulated in tests/sandbox/test_container.py;
# docs/containers.md says where it was built and run by hand.

FROM python:3.13-slim AS build
COPY pyproject.toml README.md LICENSE /assay/
COPY requirements /assay/requirements
COPY src /assay/src
RUN python -m venv /opt/assay \
 && /opt/assay/bin/pip install --no-cache-dir --quiet --constraint /assay/requirements/dev.txt pip \
 && /opt/assay/bin/pip install --no-cache-dir --quiet --constraint /assay/requirements/dev.txt \
      --build-constraint /assay/requirements/dev.txt "/assay[hub]"

FROM python:3.13-slim
COPY --from=build /opt/assay /opt/assay
ENV PATH=/opt/assay/bin:/usr/local/bin:/usr/bin:/bin \
    HOME=/work \
    XDG_CACHE_HOME=/tmp/cache \
    PYTHONDONTWRITEBYTECODE=1
WORKDIR /work
# a number that no file belongs to; `--user "$(id -u):$(id -g)"` takes its place where runs are to be the caller's
USER 10001:10001
ENTRYPOINT ["assay"]
CMD ["doctor"]
