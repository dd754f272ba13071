/** Systems that `--overload` measures. */
import { Stack } from '../stack/stack.ts';
import { OFFLINE_ENV } from '../kit/instance.ts';
import { stopServers, serveStandalone, getServerIds } from './compare.ts';
import { connectTo, startPostgres } from './postgres.ts';

const TOKEN = 'the-token-of-the-benchmark';
const PORT_OFFSET = 7_000;

export interface OverloadedSystem {
  url: string;
  token: string;
  /** Number of connections with the highest rate of acknowledged visits. */
  bestConnections: number;
  pid: number;
  /** Returns the process IDs whose CPU time counts, including the server's. */
  processes: () => Promise<number[]>;
  /**
   * Returns the number of stored visits and the number of requests that were cut off. Visits in the latter may or may
   * not be stored. Null if this isn't measured.
   */
  stored: (() => Promise<{ visits: number; cutOff: number }>) | null;
  dispose(): Promise<void>;
}

export async function startStandalone(): Promise<OverloadedSystem> {
  const postgres = await startPostgres();
  const databaseUrl = await postgres.createDatabase('ours');
  const url = await serveStandalone(postgres.folder, databaseUrl, {
    PROJECT_ACCESS_TOKEN: TOKEN,
    LOG_LEVEL: 'fatal',
    ...OFFLINE_ENV,
  });
  const pool = connectTo(databaseUrl);
  const pid = getServerIds()[0]!;
  return {
    url,
    token: TOKEN,
    bestConnections: 32,
    pid,
    async processes() {
      const { rows } = await pool.query<{ pid: number }>(
        `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'`,
      );
      return [pid, ...rows.map((row) => row.pid)];
    },
    async stored() {
      const { rows } = await pool.query('SELECT count(*)::int AS visits FROM visits_full');
      const metrics = await (await fetch(`${url}/metrics`)).text();
      const line = /publish_failures_total\{topic="visits\.received\.v1",reason="cut_off"\} (\d+)/.exec(metrics);
      return { visits: rows[0].visits as number, cutOff: Number(line?.[1] ?? 0) };
    },
    async dispose() {
      stopServers();
      await pool.end();
      await postgres.stop();
    },
  };
}

/** Starts only the gateway, on a real Kafka. The services behind it would compete for CPU time. */
export async function startStack(): Promise<OverloadedSystem> {
  const stack = await Stack.start({
    only: ['gateway'],
    portOffset: PORT_OFFSET,
    env: { LOG_LEVEL: 'warn', ...OFFLINE_ENV },
  });
  const { pid } = stack.service('gateway')[0]!;
  return {
    url: stack.url('gateway'),
    token: await stack.secret('access-token'),
    bestConnections: 128,
    pid,
    processes: async () => [pid],
    stored: null,
    dispose: () => stack.stop(),
  };
}
