/** The systems that `--overload` measures. */
import { Stack } from '../stack/stack.ts';
import { ALONE } from '../kit/instance.ts';
import { endServers, serveStandalone, serverIds } from './compare.ts';
import { connectTo, startPostgres } from './postgres.ts';

const TOKEN = 'the-token-of-the-benchmark';
const PORT_OFFSET = 7_000;

export interface OverloadedSystem {
  url: string;
  token: string;
  /** Connections at which the most is acknowledged. */
  bestConnections: number;
  /** Process id of what answers. */
  pid: number;
  /** Process ids of what works for it, itself among them. */
  processes: () => Promise<number[]>;
  /** Visits that are stored, and requests that were cut off, so that theirs may be; null where that is not measured. */
  stored: (() => Promise<{ visits: number; cutOff: number }>) | null;
  dispose(): Promise<void>;
}

/** The standalone, as `npm start` runs it. */
export async function startStandalone(): Promise<OverloadedSystem> {
  const postgres = await startPostgres();
  const databaseUrl = await postgres.createDatabase('ours');
  const url = await serveStandalone(postgres.folder, databaseUrl, {
    PROJECT_ACCESS_TOKEN: TOKEN,
    LOG_LEVEL: 'fatal',
    ...ALONE,
  });
  const pool = connectTo(databaseUrl);
  const pid = serverIds()[0]!;
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
      endServers();
      await pool.end();
      await postgres.stop();
    },
  };
}

/** The gateway of the deployment, on a real Kafka; what comes behind it would share its processor. */
export async function startStack(): Promise<OverloadedSystem> {
  const stack = await Stack.start({
    only: ['gateway'],
    portOffset: PORT_OFFSET,
    env: { LOG_LEVEL: 'warn', ...ALONE },
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
