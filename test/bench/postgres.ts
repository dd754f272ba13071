/** An embedded PostgreSQL for one run. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'pg';
import { pino } from 'pino';
import { EmbeddedPostgres } from '#libs/embedded-postgres';

export interface BenchPostgres {
  /** Also for the data of others; it goes with the server. */
  folder: string;
  /**
   * @param template a database that nobody uses, to copy.
   * @returns its address.
   */
  createDatabase(name: string, template?: string): Promise<string>;
  stop(): Promise<void>;
}

export async function startPostgres(settings: Record<string, string> = {}): Promise<BenchPostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'agent-traffic-bench-'));
  // PostgreSQL runs as another user, who has to pass through.
  await chmod(folder, 0o711);
  const server = await EmbeddedPostgres.start({
    dataDirectory: join(folder, 'postgres'),
    log: pino({ level: 'silent' }),
    settings,
  });
  const admin = new Pool({ connectionString: server.url, max: 1 });
  return {
    folder,
    async createDatabase(name, template = 'template1') {
      await admin.query(`CREATE DATABASE ${name} TEMPLATE ${template}`);
      const url = new URL(server.url);
      url.pathname = `/${name}`;
      return url.href;
    },
    async stop() {
      await admin.end();
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** One connection, for queries of the benchmark itself. The server may end before it. */
export function connectTo(databaseUrl: string): Pool {
  const pool = new Pool({ connectionString: databaseUrl, max: 1 });
  pool.on('error', () => undefined);
  return pool;
}
