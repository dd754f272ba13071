/** Compares our build with another commit. Both run in turn, on the same machine and under the same load. */
import { argv, exit } from 'node:process';
import { parseArgs } from 'node:util';
import { printRows, ROUNDS, type Row } from '../compare.ts';
import { runFunctions } from '../functions.ts';
import { buildOf, OURS, type Build } from './build.ts';
import { OF_STACK, OF_STANDALONE, type Measurement } from './measurements.ts';
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
    // Read by compare.ts.
    quick: { type: 'boolean', default: false },
  },
});
const only = [...values.only, ...positionals];
/** Name that selects the benchmarks of single functions. */
const FUNCTIONS = 'functions';

if (values.stack) await compareBuilds(startStackSide, OF_STACK, 'on Kafka, Redis and PostgreSQL');
else await compareBuilds(startStandaloneSide, OF_STANDALONE, 'standalone');

async function compareBuilds<S extends Side>(
  start: (build: Build) => Promise<S>,
  all: readonly Measurement<S>[],
  about: string,
): Promise<void> {
  const measurements = chosen(all);
  const build = await buildOf(values.against);
  if (measurements.length > 0) printRows(about, await measureBoth(start, measurements, build));
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
    // Not in parallel: two deployments that start at once can exceed the timeouts of their services.
    const ours = await startNext({ ...OURS, env: Object.fromEntries(values.env.map(settingOf)) });
    const theirs = await startNext(build);
    const found = new Map<string, Row>();
    for (let round = -1; round < ROUNDS; round += 1) {
      for (const measurement of measurements) await measureRound(measurement, { ours, theirs }, round, found);
    }
    return [...found.values()];
  } finally {
    await dispose();
  }
}

/** Measures both builds and adds the values to the rows. Round -1 is a warm-up and adds nothing. */
async function measureRound<S extends Side>(
  { rows: described, measure }: Measurement<S>,
  sides: { ours: S; theirs: S },
  round: number,
  found: Map<string, Row>,
): Promise<void> {
  // The builds take turns going first.
  for (const side of round % 2 === 0 ? (['ours', 'theirs'] as const) : (['theirs', 'ours'] as const)) {
    const measured = await measure(sides[side]);
    if (round < 0) continue;
    for (const [name, [what, unit]] of Object.entries(described)) {
      const peer = sides.theirs.build.name;
      const row = found.get(name) ?? { what: `${name}: ${what}`, peer, unit, ours: [], theirs: [], goal: null };
      row[side].push(measured[name]!);
      found.set(name, row);
    }
  }
  process.stderr.write('.');
}

/** Parses a setting. @throws Error if it isn't NAME=VALUE. */
function settingOf(text: string): [string, string] {
  const [, name, value] = /^([A-Z_]+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined) throw new Error(`--env ${text}: write it as NAME=VALUE`);
  return [name, value!];
}

/** Returns the measurements chosen on the command line. @throws Error that lists the valid names. */
function chosen<S extends Side>(all: readonly Measurement<S>[]): readonly Measurement<S>[] {
  const names = [...all.flatMap(({ rows }) => Object.keys(rows)), ...(values.stack ? [] : [FUNCTIONS])];
  const unknown = only.find((name) => !names.includes(name));
  if (unknown !== undefined) throw new Error(`There is no row ${unknown}. Choose one of: ${names.join(', ')}`);
  return only.length === 0 ? all : all.filter(({ rows }) => only.some((name) => name in rows));
}
