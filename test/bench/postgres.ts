import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'pg';
import { pino } from 'pino';
import { EmbeddedPostgres } from '#libs/embedded-postgres';

export interface BenchPostgres {
  /** Temporary folder that can also contain other services' data. Deleted by `stop()`. */
  folder: string;
  /**
   * @param template Database to copy. It must have no open connections.
   * @returns the new database's URL
   */
  createDatabase(name: string, template?: string): Promise<string>;
  stop(): Promise<void>;
}

export async function startPostgres(settings: Record<string, string> = {}): Promise<BenchPostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'agent-traffic-bench-'));
  // PostgreSQL may run as a different user, who needs access.
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

/**
 * Returns a single connection for the benchmark's own queries. It ignores errors, because the server may stop first.
 */
export function connectTo(databaseUrl: string): Pool {
  const pool = new Pool({ connectionString: databaseUrl, max: 1 });
  pool.on('error', () => undefined);
  return pool;
}
