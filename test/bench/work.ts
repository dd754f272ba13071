/** Functions of ours and of others over the same items, in turn. */
import { isQuick, ROUNDS, WARM_UPS, type Row } from './compare.ts';

/** Of work, in a round, on either side. */
const MILLISECONDS = isQuick ? 20 : 200;

export interface Work<T> {
  what: string;
  peer: string;
  /** What the items are, e.g. `user agents`. */
  unit: string;
  /** JSON: they are made anew for every pass, as they come with requests. */
  items: readonly T[];
  /** What it returns only keeps the work from being optimized away. */
  ours: (item: T) => unknown;
  theirs: (item: T) => unknown;
  goal?: number;
}

/** Items a second of both. */
export function compareWork<T>({ what, peer, unit, items, ours, theirs, goal }: Work<T>): Row {
  const json = JSON.stringify(items);
  const row: Row = { what, peer, unit: `${unit}/s`, ours: [], theirs: [], goal: goal ?? null };
  for (let round = -WARM_UPS; round < ROUNDS; round += 1) {
    const rates = [itemsPerSecond(json, ours), itemsPerSecond(json, theirs)] as const;
    if (round < 0) continue;
    row.ours.push(rates[0]);
    row.theirs.push(rates[1]);
  }
  process.stderr.write('.');
  return row;
}

function itemsPerSecond<T>(json: string, run: (item: T) => unknown): number {
  let items = 0;
  let spent = 0;
  let results = 0;
  while (spent < MILLISECONDS) {
    const fresh = JSON.parse(json) as T[];
    const started = performance.now();
    for (const item of fresh) if (run(item)) results += 1;
    spent += performance.now() - started;
    items += fresh.length;
  }
  if (results < 0) throw new Error('unreachable');
  return (items * 1_000) / spent;
}
