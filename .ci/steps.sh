# What .ci/run and .ci/nightly have in common: steps that are counted, and the servers that they need.
# shellcheck shell=bash
set -uo pipefail
export CI=true NO_COLOR=1 FORCE_COLOR=0
started=$SECONDS
passed=0
failed=0

headline() { echo "── $1 ($((SECONDS - started)) s)"; }

count() {
  passed=$((passed + $1))
  failed=$((failed + $2))
}

# A step without counts of its own is one test.
step() {
  local name=$1
  shift
  headline "$name"
  if "$@"; then
    count 1 0
  else
    count 0 1
    echo "FAILED: $name"
    return 1
  fi
}

# A run that writes its results as JSON counts its tests; one that ends badly without a failed test is a failure of its own.
# STEP_TIMEOUT is how many seconds it may take.
counted() {
  local name=$1 read_counts=$2 results=$3 status counts p f
  shift 3
  headline "$name"
  timeout --kill-after=10 "${STEP_TIMEOUT:-2400}" "$@"
  status=$?
  counts=$(node -e "$read_counts" "$results" 2>/dev/null) || counts='0 1'
  read -r p f <<<"$counts"
  if [ "$status" -ne 0 ] && [ "$f" -eq 0 ]; then f=1; fi
  if [ "$f" -ne 0 ]; then echo "FAILED: $name"; fi
  count "$p" "$f"
  rm -f "$results"
}

# What a failing test left open keeps jest from ending, so it is made to.
tests() {
  local name=$1 results
  shift
  results=$(mktemp)
  counted "$name" '
    const { numPassedTests: p, numFailedTests: f, numPendingTests: s, numRuntimeErrorTestSuites: e } =
      JSON.parse(require("fs").readFileSync(process.argv[1], "utf8"));
    console.log(p, f + e + s)' "$results" "$@" --forceExit --json --outputFile="$results"
}

# Debian's Chromium; every test is one that counts.
browser_tests() {
  local name=$1 results
  shift
  [ -e /usr/bin/chromium-headless-shell ] || step 'Chromium' install_package chromium-headless-shell /usr/bin/chromium-headless-shell || return
  results=$(mktemp)
  export PLAYWRIGHT_JSON_OUTPUT_NAME="$results"
  counted "$name" '
    const { stats: { expected, unexpected, flaky, skipped } } = JSON.parse(require("fs").readFileSync(process.argv[1], "utf8"));
    console.log(expected, unexpected + flaky + skipped)' "$results" npm run --silent test:browser -- --reporter=list,json "$@"
}

# An operation of a run is a test. The seconds, and options: the gate takes one seed, so that it judges the change alone.
fuzz_tests() {
  local results seconds=$1
  shift
  results=$(mktemp)
  counted "requests made from the OpenAPI documents, for $seconds s" '
    const last = require("fs").readFileSync(process.argv[1], "utf8").trim().split("\n").at(-1);
    console.log(...last.match(/^(\d+) passed, (\d+) failed$/).slice(1))' "$results" \
    bash -c 'set -o pipefail; npm run --silent test:fuzz -- --seconds "$1" "${@:3}" | tee "$2"' fuzz "$seconds" "$results" "$@"
}

install_package() {
  compgen -G "$2" >/dev/null && return 0
  local retries=(-o Acquire::Retries=5)
  apt-get update -qq "${retries[@]}" && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "${retries[@]}" "$1" >/dev/null
}

# The oldest PostgreSQL that is supported, from Debian's packages; the embedded one is the newest.
start_postgres() {
  install_package postgresql '/usr/lib/postgresql/*/bin/postgres' || return 1
  local bin
  bin=$(dirname "$(compgen -G '/usr/lib/postgresql/*/bin/postgres' | head -1)")
  postgres_folder=$(mktemp -d) && chown postgres "$postgres_folder" || return 1
  postgres_port=$(node -e "const s=require('net').createServer().listen(0,'127.0.0.1',()=>{console.log(s.address().port);s.close()})")
  stop_postgres="$bin/pg_ctl -D $postgres_folder/data -m immediate stop"
  trap 'su postgres -c "$stop_postgres" >/dev/null 2>&1; rm -rf "$postgres_folder"' EXIT
  cd / && su postgres -c "$bin/initdb -D $postgres_folder/data -U postgres -A trust -E UTF8 --locale=C >/dev/null &&
    $bin/pg_ctl -D $postgres_folder/data -l $postgres_folder/log -w \
      -o \"-p $postgres_port -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c max_connections=200\" start >/dev/null"
  local status=$?
  cd "$OLDPWD" && "$bin/postgres" --version
  return $status
}

# Integration tests of these files, on that PostgreSQL.
postgres_tests() {
  step 'a PostgreSQL of the distribution' start_postgres || return
  TEST_DATABASE_URL="postgres://postgres@127.0.0.1:$postgres_port/postgres" \
    tests 'SQL on that PostgreSQL' npm run --silent test:int -- --testPathPatterns "$1"
}

start_stack() {
  stack_data=$(mktemp -d)
  node test/stack/main.ts --quiet --data "$stack_data" --port-offset 6000 --env TEST_VISIT_ALLOW_PRIVATE=true >"$stack_data.log" 2>&1 &
  stack_pid=$!
  for _ in $(seq 120); do
    grep -q 'All of it runs' "$stack_data.log" && return 0
    kill -0 "$stack_pid" 2>/dev/null || break
    sleep 1
  done
  cat "$stack_data.log"
  return 1
}

stop_stack() {
  kill -TERM "$stack_pid" && wait "$stack_pid"
  local status=$?
  rm -rf "$stack_data" "$stack_data.log"
  return $status
}

# The end-to-end tests once more, against the deployment of docker-compose.yml, and these of the dashboard's.
distributed_tests() {
  step 'the stack starts' start_stack || { stop_stack; return; }
  export TARGET_URL=http://127.0.0.1:9000
  TARGET_ACCESS_TOKEN=$(cat "$stack_data/secrets/access-token")
  TARGET_API_KEY=$(cat "$stack_data/secrets/api-key")
  export TARGET_ACCESS_TOKEN TARGET_API_KEY
  tests 'the system, distributed' npm run --silent test:e2e -- --testPathPatterns test/system/
  browser_tests 'the dashboard, distributed' "$@"
  unset TARGET_URL TARGET_ACCESS_TOKEN TARGET_API_KEY
  step 'the stack stops' stop_stack
}

# The last line alone tells the result, and so does the exit code.
finish() {
  echo "$((SECONDS - started)) s"
  echo "$passed passed, $failed failed"
  [ "$failed" -eq 0 ]
}
