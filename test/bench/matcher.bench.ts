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
import { bundledCatalog, compileCatalog } from '#libs/catalog';
import { printRows, type Row } from './compare.ts';
import { compareWork } from './work.ts';

const LOG = join(import.meta.dirname, '../../../shared/samples/apache-access.log.gz');
const catalog = bundledCatalog();
const started = performance.now();
const { matcher } = compileCatalog(catalog);
const compiledIn = performance.now() - started;
const expressions = crawlers.map(({ pattern }) => new RegExp(pattern));

function logged(path: string): string[] {
  if (!existsSync(path)) return [];
  const lines = gunzipSync(readFileSync(path)).toString().split('\n');
  return [...new Set(lines.map((line) => line.split('"')[5] ?? ''))].filter((text) => text !== '');
}

function rowsOf(name: string, items: readonly string[]): Row[] {
  const agents = items.filter((userAgent) => matcher.find(userAgent) !== null).length;
  const both = {
    what: `agent of a User-Agent, ${name} (${items.length}, ${agents} of agents)`,
    unit: 'User-Agents',
    items,
    ours: (userAgent: string) => matcher.find(userAgent),
  };
  return [
    compareWork({ ...both, peer: 'isbot: yes or no', theirs: (userAgent) => isbot(userAgent), goal: 1 }),
    compareWork({
      ...both,
      peer: `a loop over the ${expressions.length} patterns of crawler-user-agents`,
      theirs: (userAgent) => expressions.find((expression) => expression.test(userAgent)),
      goal: 25,
    }),
    compareWork({ ...both, peer: 'the same, remembered', theirs: (userAgent) => matcher.match(userAgent) }),
  ];
}

const log = logged(argv.find((argument) => argument.endsWith('.gz')) ?? LOG);
const rows = [
  ...(log.length === 0 ? [] : rowsOf('of an access log', log)),
  ...rowsOf(
    'of the catalog',
    catalog.agents.flatMap((agent) => agent.sample_user_agents ?? []),
  ),
];
printRows(`identification; ${catalog.agents.length} agents, compiled in ${compiledIn.toFixed(0)} ms`, rows);
