/**
 * Finding the agent of a User-Agent, against `isbot`, which says yes or no, and against running the patterns of
 * `crawler-user-agents` one after the other until one matches. Nothing is remembered from earlier User-Agents.
 *
 *   node test/bench/matcher.bench.ts [access.log.gz]      after a build
 *
 * The log is in the combined format; the samples of the catalog are measured either way.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { argv } from 'node:process';
import { gunzipSync } from 'node:zlib';
import crawlers from 'crawler-user-agents';
import { isbot } from 'isbot';
import { printRows, type Row } from './compare.ts';
import { compareWork, OURS, type Libs } from './work.ts';

const LOG = join(import.meta.dirname, '../../../shared/samples/apache-access.log.gz');
const matcherOf = ({ catalog }: Libs) => catalog.compileCatalog(catalog.bundledCatalog()).matcher;
const { agents } = OURS.catalog.bundledCatalog();
const started = performance.now();
const matcher = matcherOf(OURS);
const compiledIn = performance.now() - started;
const expressions = crawlers.map(({ pattern }) => new RegExp(pattern));

function logged(path: string): string[] {
  if (!existsSync(path)) return [];
  const lines = gunzipSync(readFileSync(path)).toString().split('\n');
  return [...new Set(lines.map((line) => line.split('"')[5] ?? ''))].filter((text) => text !== '');
}

async function rowsOf(name: string, items: readonly string[]): Promise<Row[]> {
  if (items.length === 0) return [];
  const known = items.filter((userAgent) => matcher.find(userAgent) !== null).length;
  return compareWork({
    what: `agent of a User-Agent, ${name} (${items.length}, ${known} of agents)`,
    unit: 'User-Agents',
    items,
    of(libs) {
      const theirs = matcherOf(libs);
      return (userAgent) => theirs.find(userAgent);
    },
    peers: [
      { peer: 'isbot: yes or no', run: (userAgent) => isbot(userAgent), goal: 1 },
      {
        peer: `a loop over the ${expressions.length} patterns of crawler-user-agents`,
        run: (userAgent) => expressions.find((expression) => expression.test(userAgent)),
        goal: 25,
      },
      { peer: 'the same, remembered', run: (userAgent) => matcher.match(userAgent) },
    ],
  });
}

const rows = [
  ...(await rowsOf('of an access log', logged(argv.find((argument) => argument.endsWith('.gz')) ?? LOG))),
  ...(await rowsOf(
    'of the catalog',
    agents.flatMap((agent) => agent.sample_user_agents ?? []),
  )),
];
printRows(`identification; ${agents.length} agents, compiled in ${compiledIn.toFixed(0)} ms`, rows);
