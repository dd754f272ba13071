/** Compares our build with another commit. Both run alternately, on the same machine and under the same load. */
import { argv, exit } from 'node:process';
import { parseArgs } from 'node:util';
import { printRows, ROUNDS, type Row } from '../compare.ts';
import { runFunctions } from '../functions.ts';
import { ensureBuild, OUR_BUILD, type Build } from './build.ts';
import { STACK_MEASUREMENTS, STANDALONE_MEASUREMENTS, type Measurement } from './measurements.ts';
import { startStandaloneSide, type Side } from './side.ts';
import { startStackSide } from './stack-side.ts';

const { values, positionals } = parseArgs({
  args: argv.slice(2),
  allowPositionals: true,
  options: {
    against: { type: 'string', default: '' },
    only: { type: 'string', multiple: true, default: [] },
    stack: { type: 'boolean', default: false },
    env: { type: 'string', multiple: true, default: [] },
    // Used by compare.ts.
    quick: { type: 'boolean', default: false },
  },
});
const only = [...values.only, ...positionals];
/** Name that selects the single-function benchmarks. */
const FUNCTIONS = 'functions';

if (values.stack) await compareBuilds(startStackSide, STACK_MEASUREMENTS, 'on Kafka, Redis, and PostgreSQL');
else await compareBuilds(startStandaloneSide, STANDALONE_MEASUREMENTS, 'standalone mode');

async function compareBuilds<S extends Side>(
  start: (build: Build) => Promise<S>,
  all: readonly Measurement<S>[],
  title: string,
): Promise<void> {
  const measurements = selectMeasurements(all);
  const build = await ensureBuild(values.against);
  if (measurements.length > 0) printRows(title, await measureBoth(start, measurements, build));
  if (!values.stack && (only.length === 0 || only.includes(FUNCTIONS))) {
    await runFunctions(['--theirs', build.root, ...(values.quick ? ['--quick'] : [])]);
  }
}

async function measureBoth<S extends Side>(
  start: (build: Build) => Promise<S>,
  measurements: readonly Measurement<S>[],
  build: Build,
): Promise<Row[]> {
  const starting: Promise<S>[] = [];
  const disposeAll = async (): Promise<void> => {
    const started = await Promise.allSettled(starting);
    await Promise.all(started.map((side) => side.status === 'fulfilled' && side.value.dispose()));
  };
  let disposing: Promise<void> | undefined;
  const dispose = (): Promise<void> => (disposing ??= disposeAll());
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void dispose().then(() => exit(1)));
  try {
    const startNext = (next: Build): Promise<S> => starting[starting.push(start(next)) - 1]!;
    // Don't start both at the same time, because their services could then exceed their timeouts.
    const ours = await startNext({ ...OUR_BUILD, env: Object.fromEntries(values.env.map(parseSetting)) });
    const theirs = await startNext(build);
    const rowsByName = new Map<string, Row>();
    for (let round = -1; round < ROUNDS; round += 1) {
      for (const measurement of measurements) await measureRound(measurement, { ours, theirs }, round, rowsByName);
    }
    return [...rowsByName.values()];
  } finally {
    await dispose();
  }
}

/** Measures both builds and adds the values to the rows. Round -1 is a warm-up and isn't recorded. */
async function measureRound<S extends Side>(
  { rows: labels, measure }: Measurement<S>,
  sides: { ours: S; theirs: S },
  round: number,
  rowsByName: Map<string, Row>,
): Promise<void> {
  // Alternate which build goes first.
  for (const side of round % 2 === 0 ? (['ours', 'theirs'] as const) : (['theirs', 'ours'] as const)) {
    const measured = await measure(sides[side]);
    if (round < 0) continue;
    for (const [name, [what, unit]] of Object.entries(labels)) {
      const peer = sides.theirs.build.name;
      const row = rowsByName.get(name) ?? { what: `${name}: ${what}`, peer, unit, ours: [], theirs: [], goal: null };
      row[side].push(measured[name]!);
      rowsByName.set(name, row);
    }
  }
  process.stderr.write('.');
}

/** @throws {Error} if the text isn't NAME=VALUE */
function parseSetting(text: string): [string, string] {
  const [, name, value] = /^([A-Z_]+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined) throw new Error(`--env must be NAME=VALUE (got "${text}")`);
  return [name, value!];
}

/**
 * Returns the measurements chosen on the command line.
 *
 * @throws {Error} listing the valid names if a name is unknown
 */
function selectMeasurements<S extends Side>(all: readonly Measurement<S>[]): readonly Measurement<S>[] {
  const names = [...all.flatMap(({ rows }) => Object.keys(rows)), ...(values.stack ? [] : [FUNCTIONS])];
  const unknown = only.find((name) => !names.includes(name));
  if (unknown !== undefined) throw new Error(`Unknown row ${unknown}. Choose one of: ${names.join(', ')}`);
  return only.length === 0 ? all : all.filter(({ rows }) => only.some((name) => name in rows));
}
