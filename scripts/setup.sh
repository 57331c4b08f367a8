#!/usr/bin/env bash
# Set up everything a fresh checkout needs: Debian packages (as root), the virtual environment, the locked requirements.
# usage: scripts/setup.sh        (make calls it; running it again costs a second)
set -euo pipefail
cd "$(dirname "$0")/.."
python=${PYTHON:-python3}

say() { printf 'setup: %s\n' "$*" >&2; }

"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {
  say "Python 3.11 or newer is needed, '$python' is $("$python" --version 2>&1). Name another one: make PYTHON=python3.12"
  exit 2
}

missing_packages() {
  grep -v '^#' scripts/debian-packages.txt | while read -r package; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || echo "$package"
  done
}

if command -v dpkg-query >/dev/null; then
  missing=$(missing_packages | xargs)
  # `games install` asks apt for games, so its package lists must be there even if no package is missing.
  lists=$(find /var/lib/apt/lists -name '*_Packages*' -print -quit 2>/dev/null || true)
  if [ "$(id -u)" = 0 ]; then
    if [ -n "$missing" ] || [ -z "$lists" ]; then
      say "apt-get update"
      apt-get update -qq >/dev/null
    fi
    if [ -n "$missing" ]; then
      say "installing Debian packages: $missing"
      # shellcheck disable=SC2086 one word per package
      DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends $missing >/dev/null
    fi
  elif [ -n "$missing" ]; then
    say "these Debian packages are missing and only root may install them: sudo apt-get install $missing"
    exit 2
  fi
else
  say "this is no Debian: install by hand what scripts/debian-packages.txt names; Debian games cannot be fetched here"
fi

[ -x .venv/bin/python ] || { say "making .venv"; "$python" -m venv .venv; }
[ -x .venv/bin/uv ] || .venv/bin/python -m pip install -q --disable-pip-version-check "$(grep -oE '^uv==[0-9.]+' requirements.lock)"
say "installing the locked requirements"
.venv/bin/uv pip sync -q --python .venv/bin/python --require-hashes requirements.lock
.venv/bin/uv pip install -q --python .venv/bin/python --no-deps --no-build-isolation -e .
touch .venv/ready
