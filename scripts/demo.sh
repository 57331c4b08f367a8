#!/usr/bin/env bash
# Play real games with the three baselines, judge the films, write one report.
# usage: scripts/demo.sh        (make demo calls it; running it again continues or shows the same result)
set -euo pipefail
cd "$(dirname "$0")/.."
playsuite=.venv/bin/playsuite
seconds=${DEMO_SECONDS:-60}

say() { printf '\n== %s\n' "$*" >&2; }

# Exit code 1 means "done, with faults": faults are data, and the report shows them.
faults_allowed() { "$@" || [ $? = 1 ]; }

say "games"
faults_allowed $playsuite games install demo
# A game that cannot be had today (a registry that is down) costs only itself.
games=$($playsuite games list --installed --json | .venv/bin/python -c '
import json, sys
print(",".join(game["id"] for game in map(json.loads, sys.stdin) if "demo" in game.get("tags", ())))')
[ "$(tr -cd , <<<"$games" | wc -c)" -ge 7 ] || { say "fewer than 8 games could be installed: $games"; exit 1; }
runs=()
for agent in idle random explorer; do
  say "playing: $agent"
  faults_allowed $playsuite run --name "demo-$agent" --suite demo --games "$games" --agent "$agent" --seconds "$seconds" --workers 2
  runs+=("runs/demo-$agent")
done
for run in "${runs[@]}"; do
  say "judging: $run"
  faults_allowed $playsuite judge "$run" --workers 2
done
say "report"
$playsuite report "${runs[@]}" --out runs/demo-report
say "open $PWD/runs/demo-report/index.html"
