/**
 * Finds the agent of a User-Agent, without a cache. The peers are `isbot`, which only returns yes or no, a loop over the
 * patterns of `crawler-user-agents`, and our matcher with its cache.
 *
 *   node test/bench/matcher.bench.ts [access.log.gz]      after a build
 *
 * The log must be in the combined format. The catalog's samples are always measured.
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
