import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Deployment } from './deployment.js';
import { isFullRun } from './faults.js';
import { pause, until } from './instance.js';
import { Load } from './load.js';

/** Number of concurrent requests. In short runs, few enough to leave CPU time for the services under test. */
const WORKERS = isFullRun ? 12 : 4;
/** Maximum time it may take to store visits after a recovery. Visits that aren't stored by then count as lost. */
const BACKLOG_TIMEOUT_MS = 120_000;

export interface FaultResult {
  fault: string;
  requests: number;
  accepted: string;
  p99Ms: number;
  slowestMs: number;
  visits: number;
  lost: number;
  duplicated: number;
  backlogMs: number;
}

/** Stored visits at some time after a fault. */
interface Observation {
  /** See {@link Deployment.timesStored}. */
  times: Map<number, number>;
  /** Numbers of accepted visits that aren't stored. */
  missing: number[];
  totals: Awaited<ReturnType<Deployment['countTotals']>>;
  pendingBatches: number;
}

/** Posts numbered visits during faults and records the outcome. */
export class FaultTrials {
  readonly rows: FaultResult[] = [];
  private next = 1;

  /** @param folder Folder in which the numbers of the visits are saved before each request. */
  constructor(private readonly folder: string) {}

  /**
   * Causes a fault under load. Visits accepted with a 204 must be stored exactly once, and all counts must match the
   * stored visits.
   */
  async run(deployment: Deployment, fault: string, causeFault: (load: Load) => Promise<void>): Promise<FaultResult> {
    const ids = join(this.folder, `${fault.replaceAll(/\W+/g, '-')}.ids`);
    const load = new Load(deployment.client, {
      workers: WORKERS,
      firstNumber: this.next,
      onSend: (numbers) => appendFileSync(ids, `${numbers.join('\n')}\n`),
    });
    const first = this.next;
    this.next += 10_000_000;
    let recovered: number;
    try {
      await until(() => load.accepted.size > 300, { condition: 'visits are accepted' });
      await causeFault(load);
      recovered = Date.now();
      const before = load.accepted.size;
      await until(() => load.accepted.size > before + 300, { condition: 'visits are accepted again' });
    } finally {
      await load.stop();
    }

    const observe = async (): Promise<Observation> => {
      const times = await deployment.timesStored(first);
      return {
        times,
        missing: [...load.accepted].filter((number) => !times.has(number)),
        totals: await deployment.countTotals(),
        pendingBatches: await deployment.countPendingBatches(),
      };
    };
    const isComplete = ({ missing, totals: { stored, counted, pages }, pendingBatches }: Observation): boolean =>
      missing.length === 0 && pendingBatches === 0 && counted === stored && pages === stored;
    const deadline = recovered + BACKLOG_TIMEOUT_MS;
    let observation = await observe();
    while (!isComplete(observation) && Date.now() < deadline) {
      await pause(200);
      observation = await observe();
    }
    const backlog = Date.now() - recovered;
    const { times, missing, pendingBatches, totals } = observation;
    const { stored, counted, pages } = totals;
    if (!isComplete(observation)) process.stdout.write(deployment.logs());
    expect({ lost: missing.length, pendingBatches, counted, pages }).toEqual({
      lost: 0,
      pendingBatches: 0,
      counted: stored,
      pages: stored,
    });

    const durations = load.durations.toSorted((one, other) => one - other);
    const row: FaultResult = {
      fault,
      requests: durations.length,
      accepted: ((100 * (load.statuses.get(204) ?? 0)) / durations.length).toFixed(2),
      p99Ms: durations[Math.floor(durations.length * 0.99)]!,
      slowestMs: durations.at(-1)!,
      visits: load.accepted.size,
      lost: missing.length,
      duplicated: [...times.values()].filter((count) => count > 1).length,
      backlogMs: backlog,
    };
    this.rows.push(row);
    expect({ fault, duplicated: row.duplicated }).toEqual({ fault, duplicated: 0 });
    expect(load.withoutRetryAfter).toBe(0);
    return row;
  }

  /** Prints the results as a table. */
  print(): void {
    process.stdout.write(`\n${formatTable(this.rows)}\n`);
  }
}

/** Expects nearly all visits to be accepted and, in full runs, a p99 under 2 s. */
export function expectUnnoticed({ accepted, p99Ms: p99 }: FaultResult): void {
  // The first requests in an outage have to wait and may fail. In a short run, they make up more than 1% of the load.
  expect(Number(accepted)).toBeGreaterThanOrEqual(isFullRun ? 99 : 95);
  if (isFullRun) expect(p99).toBeLessThan(2_000);
}

function formatTable(results: readonly FaultResult[]): string {
  const headers = [
    'Fault',
    'Requests',
    '204',
    'p99',
    'Slowest',
    'Visits with a 204',
    'Lost',
    'Stored twice',
    'Backlog cleared after',
  ];
  const cells = results.map((row) => [
    row.fault,
    String(row.requests),
    `${row.accepted}%`,
    `${row.p99Ms} ms`,
    `${row.slowestMs} ms`,
    String(row.visits),
    String(row.lost),
    String(row.duplicated),
    `${(row.backlogMs / 1_000).toFixed(1)} s`,
  ]);
  return [headers, headers.map(() => '---'), ...cells].map((line) => `| ${line.join(' | ')} |`).join('\n');
}
