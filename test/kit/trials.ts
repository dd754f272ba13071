import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Deployment } from './deployment.js';
import { pause, until } from './instance.js';
import { Load } from './load.js';

/** Time that visits may take to be stored after a recovery. Later, they count as lost. */
const BACKLOG_TIMEOUT_MS = 120_000;

export interface TrialRow {
  fault: string;
  requests: number;
  accepted: string;
  p99: number;
  slowest: number;
  visits: number;
  lost: number;
  doubled: number;
  backlog: number;
}

/** Posts numbered visits during faults and records the outcome. */
export class Trials {
  readonly rows: TrialRow[] = [];
  private next = 1;

  /** @param folder Folder for the numbers of posted visits, which are written before each request. */
  constructor(private readonly folder: string) {}

  /**
   * Causes a fault under load. Visits with a 204 must be stored exactly once, and all counts must match the stored
   * visits.
   */
  async withstand(deployment: Deployment, fault: string, strike: (load: Load) => Promise<void>): Promise<TrialRow> {
    const ids = join(this.folder, `${fault.replaceAll(/\W+/g, '-')}.ids`);
    const load = new Load(deployment.client, {
      workers: 12,
      from: this.next,
      record: (numbers) => appendFileSync(ids, `${numbers.join('\n')}\n`),
    });
    const first = this.next;
    this.next += 10_000_000;
    await until(() => load.accepted.size > 300, { what: 'visits are accepted' });
    await strike(load);
    const recovered = Date.now();
    const before = load.accepted.size;
    await until(() => load.accepted.size > before + 300, { what: 'visits are accepted again' });
    await load.stop();

    const missing = (times: Map<number, number>) => [...load.accepted].filter((number) => !times.has(number));
    const deadline = recovered + BACKLOG_TIMEOUT_MS;
    let times = await deployment.timesStored(first);
    while (missing(times).length > 0 && Date.now() < deadline) {
      await pause(200);
      times = await deployment.timesStored(first);
    }
    const backlog = Date.now() - recovered;
    const { stored, counted, pages } = await deployment.sums();
    expect([counted, pages]).toEqual([stored, stored]);

    const durations = load.durations.toSorted((one, other) => one - other);
    const row: TrialRow = {
      fault,
      requests: durations.length,
      accepted: ((100 * (load.statuses.get(204) ?? 0)) / durations.length).toFixed(2),
      p99: durations[Math.floor(durations.length * 0.99)]!,
      slowest: durations.at(-1)!,
      visits: load.accepted.size,
      lost: missing(times).length,
      doubled: [...times.values()].filter((count) => count > 1).length,
      backlog,
    };
    this.rows.push(row);
    if (row.lost > 0) process.stdout.write(deployment.logs());
    expect({ fault, lost: row.lost, doubled: row.doubled }).toEqual({ fault, lost: 0, doubled: 0 });
    expect(load.withoutRetryAfter).toBe(0);
    return row;
  }

  /** Prints the rows as a table for docs/reliability.md. */
  print(): void {
    process.stdout.write(`\n${table(this.rows)}\n`);
  }
}

function table(results: readonly TrialRow[]): string {
  const heads = [
    'Fault',
    'Requests',
    '204',
    'p99',
    'Slowest',
    'Visits with a 204',
    'Lost',
    'Twice',
    'Backlog gone after',
  ];
  const cells = results.map((row) => [
    row.fault,
    String(row.requests),
    `${row.accepted} %`,
    `${row.p99} ms`,
    `${row.slowest} ms`,
    String(row.visits),
    String(row.lost),
    String(row.doubled),
    `${(row.backlog / 1_000).toFixed(1)} s`,
  ]);
  return [heads, heads.map(() => '---'), ...cells].map((line) => `| ${line.join(' | ')} |`).join('\n');
}
