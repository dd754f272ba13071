/** The running builds to compare, with their addresses and processes. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Pool } from 'pg';
import { OFFLINE_ENV, Instance } from '../../kit/instance.ts';
import { getFamilyCpuTimeMs, getParentId } from '../processes.ts';
import type { Build } from './build.ts';

const TOKEN = 'the-token-of-the-benchmark';
const API_KEY = 'the-api-key-of-the-benchmark';

export type Part = 'gateway' | 'enrichment' | 'ingest' | 'broker' | 'redis';

export interface Side {
  build: Build;
  url: string;
  token: string;
  /** Process IDs of all services. */
  services: readonly number[];
  /** Process IDs of the services and servers whose CPU time is measured separately. */
  parts: Readonly<Partial<Record<Part, number>>>;
  database: SideDatabase;
  dispose(): Promise<void>;
}

/** A build running in standalone mode. Unlike the other sides, it can be queried and restarted. */
export interface StandaloneSide extends Side {
  apiKey: string;
  /** Measures how long a second, idle instance takes to restart with existing data. */
  restart(): Promise<{ milliseconds: number; instance: Instance }>;
}

/** Access to a side's database. Its own queries aren't counted as the side's work. */
export class SideDatabase {
  readonly pool: Pool;
  private readonly ownBackendId: number;
  private readonly postmaster: number;
  private visits: string | undefined;

  private constructor(pool: Pool, ownBackendId: number, postmaster: number) {
    this.pool = pool;
    this.ownBackendId = ownBackendId;
    this.postmaster = postmaster;
  }

  static async connect(connectionString: string): Promise<SideDatabase> {
    const pool = new Pool({ connectionString, max: 1, idleTimeoutMillis: 0 });
    pool.on('error', () => undefined);
    const { rows } = await pool.query<{ id: number }>('SELECT pg_backend_pid() AS id');
    const [{ id }] = rows as [{ id: number }];
    return new SideDatabase(pool, id, await getParentId(id));
  }

  /** Returns the total CPU time of PostgreSQL's processes in milliseconds. */
  getCpuTimeMs(): Promise<number> {
    return getFamilyCpuTimeMs(this.postmaster, [this.ownBackendId]);
  }

  async countStored(): Promise<number> {
    this.visits ??= await this.findVisitsTable();
    return (await this.pool.query<{ stored: number }>(`SELECT count(*)::int AS stored FROM ${this.visits}`)).rows[0]!
      .stored;
  }

  /** Returns the view or table in which to count visits. Builds of earlier commits only have the table. */
  private async findVisitsTable(): Promise<string> {
    const { rows } = await this.pool.query<{ name: string }>(
      `SELECT coalesce(to_regclass('visits_full'), 'visits'::regclass) AS name`,
    );
    return rows[0]!.name;
  }

  /** Deletes all visits. Builds of earlier commits only have one visits table. */
  async deleteVisits(): Promise<void> {
    await this.pool.query(`DO $$ BEGIN
      TRUNCATE visits;
      IF to_regclass('unknown_visits') IS NOT NULL THEN TRUNCATE unknown_visits; END IF;
    END $$`);
  }

  /** Returns the size of visits and their indexes in bytes. */
  async getVisitBytes(): Promise<number> {
    const { rows } = await this.pool.query<{ bytes: string }>(
      `SELECT sum(pg_total_relation_size(oid)) AS bytes FROM pg_class
       WHERE relkind = 'r' AND relname ~ '^(unknown_)?visits' AND relnamespace = current_schema()::regnamespace`,
    );
    return Number(rows[0]!.bytes);
  }
}

/** Starts a build in standalone mode with the embedded PostgreSQL. */
export async function startStandaloneSide(build: Build): Promise<StandaloneSide> {
  const options = { root: build.root, env: { ...OFFLINE_ENV, PROJECT_ACCESS_TOKEN: TOKEN, API_KEY, ...build.env } };
  const instance = await Instance.start(options);
  const database = await SideDatabase.connect(await databaseUrl(instance.dataDirectory));
  const id = instance.child.pid!;
  let idleInstance: Instance | undefined;
  return {
    build,
    url: instance.url,
    token: TOKEN,
    apiKey: API_KEY,
    services: [id],
    parts: {},
    database,
    async restart() {
      if (idleInstance === undefined) {
        idleInstance = await Instance.start(options);
        await idleInstance.stop();
      }
      const started = performance.now();
      idleInstance = await idleInstance.restart();
      return { milliseconds: performance.now() - started, instance: idleInstance };
    },
    async dispose() {
      await database.pool.end();
      await instance.dispose();
      await idleInstance?.dispose();
    },
  };
}

async function databaseUrl(dataDirectory: string): Promise<string> {
  const read = async (...path: string[]): Promise<string> => (await readFile(join(...path), 'utf8')).trim();
  const cluster = await read(dataDirectory, 'postgres.location').catch(() => join(dataDirectory, 'postgres'));
  const port = (await read(cluster, 'postmaster.pid')).split('\n')[3];
  const password = await read(dataDirectory, 'postgres-password');
  return `postgres://agent_traffic:${password}@127.0.0.1:${port}/agent_traffic`;
}
