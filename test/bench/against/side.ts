/** Running builds, with their addresses and processes. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Pool } from 'pg';
import { ALONE, Instance } from '../../kit/instance.ts';
import { familyTime, parentOf } from '../processes.ts';
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

/** Running standalone. Unlike other sides, it can be queried and started again. */
export interface StandaloneSide extends Side {
  apiKey: string;
  /** Starts a second, idle instance on data from an earlier start. */
  startAgain(): Promise<{ milliseconds: number; instance: Instance }>;
}

/** Database of a side. Queries made here don't count as the side's work. */
export class SideDatabase {
  readonly pool: Pool;
  private readonly own: number;
  private readonly postmaster: number;
  private visits: string | undefined;

  private constructor(pool: Pool, own: number, postmaster: number) {
    this.pool = pool;
    this.own = own;
    this.postmaster = postmaster;
  }

  static async connect(connectionString: string): Promise<SideDatabase> {
    const pool = new Pool({ connectionString, max: 1, idleTimeoutMillis: 0 });
    pool.on('error', () => undefined);
    const { rows } = await pool.query<{ id: number }>('SELECT pg_backend_pid() AS id');
    const [{ id }] = rows as [{ id: number }];
    return new SideDatabase(pool, id, await parentOf(id));
  }

  /** Returns the CPU time of PostgreSQL's processes in milliseconds. */
  processorTime(): Promise<number> {
    return familyTime(this.postmaster, [this.own]);
  }

  async stored(): Promise<number> {
    this.visits ??= await this.tableOfVisits();
    return (await this.pool.query<{ stored: number }>(`SELECT count(*)::int AS stored FROM ${this.visits}`)).rows[0]!
      .stored;
  }

  /** Returns the table to count visits in. Earlier commits don't have the view. */
  private async tableOfVisits(): Promise<string> {
    const { rows } = await this.pool.query<{ name: string }>(
      `SELECT coalesce(to_regclass('visits_full'), 'visits'::regclass) AS name`,
    );
    return rows[0]!.name;
  }

  /** Deletes all visits. Earlier commits have a single table. */
  async empty(): Promise<void> {
    await this.pool.query(`DO $$ BEGIN
      TRUNCATE visits;
      IF to_regclass('unknown_visits') IS NOT NULL THEN TRUNCATE unknown_visits; END IF;
    END $$`);
  }

  /** Returns the size in bytes of visits and their indexes. */
  async visitBytes(): Promise<number> {
    const { rows } = await this.pool.query<{ bytes: string }>(
      `SELECT sum(pg_total_relation_size(oid)) AS bytes FROM pg_class
       WHERE relkind = 'r' AND relname ~ '^(unknown_)?visits' AND relnamespace = current_schema()::regnamespace`,
    );
    return Number(rows[0]!.bytes);
  }
}

/** Starts a build's standalone on its embedded PostgreSQL. */
export async function startStandaloneSide(build: Build): Promise<StandaloneSide> {
  const options = { root: build.root, env: { ...ALONE, PROJECT_ACCESS_TOKEN: TOKEN, API_KEY, ...build.env } };
  const instance = await Instance.start(options);
  const database = await SideDatabase.connect(await databaseUrl(instance.dataDirectory));
  const id = instance.child.pid!;
  let other: Instance | undefined;
  return {
    build,
    url: instance.url,
    token: TOKEN,
    apiKey: API_KEY,
    services: [id],
    parts: {},
    database,
    async startAgain() {
      if (other === undefined) {
        other = await Instance.start(options);
        await other.stop();
      }
      const started = performance.now();
      other = await other.restart();
      return { milliseconds: performance.now() - started, instance: other };
    },
    async dispose() {
      await database.pool.end();
      await instance.dispose();
      await other?.dispose();
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
