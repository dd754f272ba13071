/**
 * What more of one thing costs: visits stored, projects, agents, address ranges and writers, each by itself while the
 * others are as small as on most sites. The standalone on the PostgreSQL that it brings; an instance for each size, all of
 * them measured in turn, so that what else the machine does meets every size.
 *
 *   npm run bench -- --growth                     all of it: half an hour and 30 GB
 *   npm run bench -- --growth projects agents     only these
 *   npm run bench -- --growth --out FOLDER        where growth.json and growth.svg go; docs/images for the documentation
 *   npm run bench -- --growth --quick             small sizes, to see that it works
 *
 * growth.json keeps the figures of earlier runs: what was interrupted goes on with the names that are missing.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { argv } from 'node:process';
import { parseArgs } from 'node:util';
import { isQuick, ROUNDS } from './compare.ts';
import { growthChart } from './growth-chart.ts';
import { DIMENSIONS, type Dimension } from './growth-dimensions.ts';
import { growthTable, type Figures, type GrowthResults } from './growth-results.ts';
import { BaseDatabase } from './growth-instance.ts';
import { startPostgres } from './postgres.ts';

const { values, positionals } = parseArgs({
  args: argv.slice(2),
  allowPositionals: true,
  options: {
    growth: { type: 'boolean' },
    out: { type: 'string', default: join(tmpdir(), `agent-traffic-growth${isQuick ? '-quick' : ''}`) },
    // Read by compare.ts.
    quick: { type: 'boolean' },
  },
});
const names = positionals.length > 0 ? positionals : Object.keys(DIMENSIONS);
const unknown = names.find((name) => !(name in DIMENSIONS));
if (unknown !== undefined) {
  throw new Error(`There is no size called ${unknown}. Choose one of: ${Object.keys(DIMENSIONS).join(', ')}`);
}

const file = join(values.out, 'growth.json');
const results = await readFile(file, 'utf8').then(
  (text) => JSON.parse(text) as GrowthResults,
  (): GrowthResults => ({}),
);
// An instance for each size, each with its pools.
const postgres = await startPostgres({ max_connections: '200' });
const base = new BaseDatabase(postgres, say);
try {
  for (const name of names) {
    say(`${name}:`);
    results[name] = {
      measuredOn: new Date().toISOString().slice(0, 10),
      machine: `${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB of memory, Node ${process.version}`,
      sizes: await measure(DIMENSIONS[name]!),
    };
    await save();
  }
} finally {
  await postgres.stop();
}
process.stdout.write(`\n${growthTable(results)}\n${file}\n`);

async function measure({ sizes }: Dimension): Promise<GrowthResults[string]['sizes']> {
  const systems = [];
  try {
    for (const { label, start } of sizes) {
      say(`  preparing ${label}`);
      systems.push({ label, system: await start(base), figures: {} as Figures });
    }
    for (let round = -1; round < ROUNDS; round += 1) {
      for (const { system, figures } of systems) {
        for (const [name, value] of Object.entries(await system.measure())) {
          // In the first round the compilers do their work.
          if (round >= 0) (figures[name] ??= []).push(Number(value.toPrecision(4)));
        }
      }
      say(`  round ${round + 1} of ${ROUNDS}`);
    }
    for (const { system, figures } of systems) {
      for (const [name, value] of Object.entries(await system.end())) figures[name] = [Number(value.toPrecision(4))];
    }
    return systems.map(({ label, figures }) => ({ label, figures }));
  } finally {
    for (const { system } of systems) await system.dispose();
  }
}

async function save(): Promise<void> {
  await mkdir(values.out, { recursive: true });
  await writeFile(file, `${JSON.stringify(results, null, 2)}\n`);
  await writeFile(join(values.out, 'growth.svg'), growthChart(results));
}

function say(line: string): void {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);
}
