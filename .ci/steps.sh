# Functions shared by .ci/run and .ci/nightly. They run steps, count passed and failed tests, and start servers.
# shellcheck shell=bash
set -uo pipefail
export CI=true NO_COLOR=1 FORCE_COLOR=0
started=$SECONDS
passed=0
failed=0

print_heading() { echo "── $1 ($((SECONDS - started)) s)"; }

add_counts() {
  passed=$((passed + $1))
  failed=$((failed + $2))
}

# Runs a command that counts as a single test.
run_step() {
  local name=$1
  shift
  print_heading "$name"
  if "$@"; then
    add_counts 1 0
  else
    add_counts 0 1
    echo "FAILED: $name"
    return 1
  fi
}

# Runs a command that writes its test results to the file $3. $2 is JavaScript that prints the numbers of passed and
# failed tests in that file. If the command fails but none of its tests do, it counts as one failure. STEP_TIMEOUT is in
# seconds.
run_and_count() {
  local name=$1 read_counts=$2 results=$3 status counts step_passed step_failed
  shift 3
  print_heading "$name"
  timeout --kill-after=10 "${STEP_TIMEOUT:-2400}" "$@"
  status=$?
  counts=$(node -e "$read_counts" "$results" 2>/dev/null) || counts='0 1'
  read -r step_passed step_failed <<<"$counts"
  if [ "$status" -ne 0 ] && [ "$step_failed" -eq 0 ]; then step_failed=1; fi
  if [ "$step_failed" -ne 0 ]; then echo "FAILED: $name"; fi
  add_counts "$step_passed" "$step_failed"
  rm -f "$results"
}

# Runs Jest tests. Skipped tests count as failures. --forceExit is needed because a failed test can leave handles open,
# which would keep Jest running.
run_tests() {
  local name=$1 results
  shift
  results=$(mktemp)
  run_and_count "$name" '
    const results = JSON.parse(require("fs").readFileSync(process.argv[1], "utf8"));
    const { numPassedTests: passed, numFailedTests: failed, numPendingTests: skipped } = results;
    console.log(passed, failed + skipped + results.numRuntimeErrorTestSuites)' "$results" "$@" --forceExit --json --outputFile="$results"
}

# Runs browser tests in Debian's Chromium. Flaky and skipped tests count as failures.
run_browser_tests() {
  local name=$1 results
  shift
  [ -e /usr/bin/chromium-headless-shell ] ||
    run_step 'install Chromium' install_package chromium-headless-shell /usr/bin/chromium-headless-shell || return
  results=$(mktemp)
  export PLAYWRIGHT_JSON_OUTPUT_NAME="$results"
  run_and_count "$name" '
    const { stats: { expected, unexpected, flaky, skipped } } = JSON.parse(require("fs").readFileSync(process.argv[1], "utf8"));
    console.log(expected, unexpected + flaky + skipped)' "$results" npm run --silent test:browser -- --reporter=list,json "$@"
}

# Usage: run_fuzz_tests SECONDS [OPTION…]. Each API operation counts as a test. .ci/run passes a fixed seed to make
# results reproducible.
run_fuzz_tests() {
  local results seconds=$1
  shift
  results=$(mktemp)
  run_and_count "fuzz tests, $seconds s" '
    const lastLine = require("fs").readFileSync(process.argv[1], "utf8").trim().split("\n").at(-1);
    console.log(...lastLine.match(/^(\d+) passed, (\d+) failed$/).slice(1))' "$results" \
    bash -c 'set -o pipefail; npm run --silent test:fuzz -- --seconds "$1" "${@:3}" | tee "$2"' fuzz "$seconds" "$results" "$@"
}

# Usage: install_package PACKAGE GLOB. Installs a Debian package unless a file matches the glob.
install_package() {
  compgen -G "$2" >/dev/null && return 0
  local retries=(-o Acquire::Retries=5)
  apt-get update -qq "${retries[@]}" && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "${retries[@]}" "$1" >/dev/null
}

# Starts Debian's PostgreSQL, which is the oldest supported version. The embedded one is the newest.
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

# Runs the integration tests whose paths match $1 against Debian's PostgreSQL.
run_postgres_tests() {
  run_step "start Debian's PostgreSQL" start_postgres || return
  TEST_DATABASE_URL="postgres://postgres@127.0.0.1:$postgres_port/postgres" \
    run_tests "integration tests with Debian's PostgreSQL" npm run --silent test:int -- --testPathPatterns "$1"
}

# Usage: run_clickhouse_tests [WORD…]. Runs the integration tests that use visits, with ClickHouse as the visit store. By
# default, runs all of them.
run_clickhouse_tests() {
  run_tests 'integration tests with ClickHouse as the visit store' npm run --silent test:clickhouse -- "$@" --
}

start_stack() {
  stack_data=$(mktemp -d)
  node test/stack/main.ts --quiet --data "$stack_data" --port-offset 6000 --env TEST_VISIT_ALLOW_PRIVATE=true >"$stack_data.log" 2>&1 &
  stack_pid=$!
  for _ in $(seq 120); do
    grep -q 'The stack is running' "$stack_data.log" && return 0
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

# Runs the system tests, and the browser tests that the arguments select, against the docker-compose.yml deployment.
run_distributed_tests() {
  run_step 'start the stack' start_stack || { stop_stack; return; }
  export TARGET_URL=http://127.0.0.1:9000
  TARGET_ACCESS_TOKEN=$(cat "$stack_data/secrets/access-token")
  TARGET_API_KEY=$(cat "$stack_data/secrets/api-key")
  export TARGET_ACCESS_TOKEN TARGET_API_KEY
  run_tests 'system tests against the stack' npm run --silent test:e2e -- --testPathPatterns test/system/
  run_browser_tests 'dashboard tests against the stack' "$@"
  unset TARGET_URL TARGET_ACCESS_TOKEN TARGET_API_KEY
  run_step 'stop the stack' stop_stack
}

# Prints the totals on the last line. Returns 0 if nothing failed.
print_totals() {
  echo "$((SECONDS - started)) s"
  echo "$passed passed, $failed failed"
  [ "$failed" -eq 0 ]
}
