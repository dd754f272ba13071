/**
 * Finds a User-Agent's agent without a cache. The peers are `isbot`, which only returns yes or no, a loop over the
 * `crawler-user-agents` patterns, and our matcher with its cache.
 *
 *   node test/bench/matcher.bench.ts [access.log.gz]      requires a build
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
import { compareWork, OUR_LIBS, type Libs } from './compare-functions.ts';

const LOG = join(import.meta.dirname, '../../../shared/samples/apache-access.log.gz');
const createMatcher = ({ catalog }: Libs) => catalog.compileCatalog(catalog.getBundledCatalog()).matcher;
const { agents } = OUR_LIBS.catalog.getBundledCatalog();
const started = performance.now();
const matcher = createMatcher(OUR_LIBS);
const compileMs = performance.now() - started;
const expressions = crawlers.map(({ pattern }) => new RegExp(pattern));

function readUserAgents(path: string): string[] {
  if (!existsSync(path)) return [];
  const lines = gunzipSync(readFileSync(path)).toString().split('\n');
  return [...new Set(lines.map((line) => line.split('"')[5] ?? ''))].filter((text) => text !== '');
}

async function compareMatchers(name: string, items: readonly string[]): Promise<Row[]> {
  if (items.length === 0) return [];
  const matchCount = items.filter((userAgent) => matcher.find(userAgent) !== null).length;
  return compareWork({
    what: `agent lookup, ${name} (${items.length}, ${matchCount} from agents)`,
    unit: 'User-Agents',
    items,
    createFunction(libs) {
      const theirs = createMatcher(libs);
      return (userAgent) => theirs.find(userAgent);
    },
    peers: [
      { peer: 'isbot (yes or no)', run: (userAgent) => isbot(userAgent), goal: 1 },
      {
        peer: `loop over the ${expressions.length} crawler-user-agents patterns`,
        run: (userAgent) => expressions.find((expression) => expression.test(userAgent)),
        goal: 25,
      },
      { peer: 'same lookup, cached', run: (userAgent) => matcher.match(userAgent) },
    ],
  });
}

const rows = [
  ...(await compareMatchers('access log', readUserAgents(argv.find((argument) => argument.endsWith('.gz')) ?? LOG))),
  ...(await compareMatchers(
    'catalog samples',
    agents.flatMap((agent) => agent.sample_user_agents ?? []),
  )),
];
printRows(`identification; ${agents.length} agents, compiled in ${compileMs.toFixed(0)} ms`, rows);
