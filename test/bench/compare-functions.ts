/**
 * Compares functions on the same items. The peers are named functions or, with `--theirs FOLDER`, the same function
 * from the build in that folder.
 */
import { join } from 'node:path';
import { argv } from 'node:process';
import { register } from 'prom-client';
import { isQuick, ROUNDS, WARM_UP_ROUNDS, type Row } from './compare.ts';

/** Time per round and side in milliseconds. */
const ROUND_MS = isQuick ? 20 : 200;

export interface Libs {
  accessLog: typeof import('#libs/access-log');
  agents: typeof import('#libs/agents');
  catalog: typeof import('#libs/catalog');
}

/** Function to measure. Its result is only used to prevent the work from being optimized away. */
type Run<T> = (item: T) => unknown;

export interface Work<T> {
  what: string;
  /** Unit of the items, such as `user agents`. */
  unit: string;
  /** JSON-serializable items. They are parsed again in each pass, because real requests create new objects, too. */
  items: readonly T[];
  /** Returns the function to measure from a build's libraries. */
  createFunction: (libs: Libs) => Run<T>;
  peers: readonly { peer: string; run: Run<T>; goal?: number }[];
}

const root = argv.includes('--theirs') ? argv[argv.indexOf('--theirs') + 1]! : null;
export const OUR_LIBS: Libs = {
  accessLog: await import('#libs/access-log'),
  agents: await import('#libs/agents'),
  catalog: await import('#libs/catalog'),
};

/**
 * Measures items per second for our function and for each peer. If the other build lacks the function, this is reported
 * and skipped.
 */
export async function compareWork<T>(work: Work<T>): Promise<Row[]> {
  const { what, unit, items, createFunction, peers } = work;
  const json = JSON.stringify(items);
  const ours = createFunction(OUR_LIBS);
  const others = root === null ? peers : await loadPeers(root, work);
  return others.map(({ peer, run, goal }) => {
    const row: Row = { what, peer, unit: `${unit}/s`, ours: [], theirs: [], goal: goal ?? null };
    for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
      const rates = [itemsPerSecond(json, ours), itemsPerSecond(json, run)] as const;
      if (round < 0) continue;
      row.ours.push(rates[0]);
      row.theirs.push(rates[1]);
    }
    process.stderr.write('.');
    return row;
  });
}

async function loadPeers<T>(folder: string, { what, items, createFunction }: Work<T>): Promise<Work<T>['peers']> {
  // Both builds register the same metrics, so remove our build's first.
  register.clear();
  const load = (name: string) => import(join(folder, `dist/libs/${name}/src/index.js`)).catch(() => undefined);
  try {
    const run = createFunction({
      accessLog: await load('access-log'),
      agents: await load('agents'),
      catalog: await load('catalog'),
    });
    run(items[0]!);
    return [{ peer: folder, run }];
  } catch {
    process.stdout.write(`${what}: skipped, because the build in ${folder} doesn't support it\n`);
    return [];
  }
}

function itemsPerSecond<T>(json: string, run: Run<T>): number {
  let items = 0;
  let spentMs = 0;
  let results = 0;
  while (spentMs < ROUND_MS) {
    const fresh = JSON.parse(json) as T[];
    const started = performance.now();
    for (const item of fresh) if (run(item)) results += 1;
    spentMs += performance.now() - started;
    items += fresh.length;
  }
  if (results < 0) throw new Error('unreachable');
  return (items * 1_000) / spentMs;
}
