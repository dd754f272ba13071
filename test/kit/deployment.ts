import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Pool } from 'pg';
import type { VisitStoreOptions } from '#libs/visit-store';
import { ClickHouse } from '../../libs/visit-store/src/clickhouse/clickhouse.js';
import { SHORT_LIVED_JVM_OPTIONS } from '../stack/kafka-files.ts';
import type { ServerProcess } from '../stack/server-process.ts';
import { Stack, type StackOptions } from '../stack/stack.ts';
import { Client } from './client.js';
import { OFFLINE_ENV, COMPILE_CACHE_ENV, disposables } from './instance.js';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');

export type ServiceName = 'gateway' | 'console' | 'enrichment' | 'ingest' | 'catalog' | 'rules';

export const SERVICES: ServiceName[] = ['gateway', 'console', 'enrichment', 'ingest', 'catalog', 'rules'];
/** Avoids port conflicts with a manually started stack and with other workers' stacks. */
export const PORT_OFFSET = 4_050 + 300 * Number(process.env['JEST_WORKER_ID'] ?? 0);

interface DeploymentOptions extends Pick<StackOptions, 'root' | 'kafkaBrokers' | 'scale' | 'env' | 'only'> {
  /**
   * Port at which services connect to PostgreSQL, such as the port of a relay. Default: the port of PostgreSQL itself.
   */
  databasePort?: number;
  /** ClickHouse server that stores the visits. Default: PostgreSQL stores them. */
  visitStore?: VisitStoreOptions;
  /** Port at which services connect to ClickHouse, such as the port of a relay. Default: the port in `visitStore`. */
  visitStorePort?: number;
}

/** Deployment that tests can break, like the one in docker-compose.yml. */
export class Deployment {
  private constructor(
    readonly stack: Stack,
    /** Client for the edge (or the first gateway, if there's no edge) and for the first console. */
    readonly client: Client,
    readonly databaseUrl: string,
    readonly database: Pool,
    /** Connection to the visit store, or null if PostgreSQL is the visit store. */
    readonly clickhouse: ClickHouse | null,
  ) {}

  static async start({
    databasePort,
    visitStore,
    visitStorePort,
    ...options
  }: DeploymentOptions = {}): Promise<Deployment> {
    const stack = await Stack.start({
      only: SERVICES,
      portOffset: PORT_OFFSET,
      javaOptions: SHORT_LIVED_JVM_OPTIONS,
      ...options,
      env: {
        ...OFFLINE_ENV,
        ...COMPILE_CACHE_ENV,
        ...(databasePort !== undefined && {
          DATABASE_URL: `postgres://agent_traffic@127.0.0.1:${databasePort}/agent_traffic`,
        }),
        ...(visitStore !== undefined && toEnvironment(visitStore, visitStorePort)),
        ...options.env,
      },
    });
    const client = new Client({
      url: stack.url(stack.has('edge') ? 'edge' : 'gateway'),
      consoleUrl: stack.url('console'),
      accessToken: await stack.secret('access-token'),
      apiKey: await stack.secret('api-key'),
    });
    const url = new URL(await stack.databaseUrl());
    if (databasePort !== undefined) url.port = String(databasePort);
    const database = new Pool({ connectionString: url.href, max: 2 });
    database.on('error', () => undefined);
    const clickhouse = visitStore === undefined ? null : new ClickHouse(visitStore);
    const deployment = new Deployment(stack, client, url.href, database, clickhouse);
    disposables.add(deployment);
    return deployment;
  }

  /** Returns a service's first process. */
  process(name: string): ServerProcess {
    return this.stack.service(name)[0]!;
  }

  postgresProgram(name: string): string {
    return join(dirname(this.process('postgres').command.command), name);
  }

  /**
   * Runs the CLI of the build in `root` with the console's environment.
   *
   * @returns stdout
   */
  async cli(args: readonly string[], root = ROOT): Promise<string> {
    const env = {
      ...this.process('console').command.env,
      AGENT_TRAFFIC_URL: this.stack.url('console'),
      AGENT_TRAFFIC_API_KEY: this.client.target.apiKey,
    };
    const { stdout } = await run(process.execPath, [join(root, 'apps/cli/bin/agent-traffic.mjs'), ...args], { env });
    return stdout;
  }

  /** Counts how often each numbered visit is stored, starting at number `first`. */
  async timesStored(first: number): Promise<Map<number, number>> {
    const rows = await this.queryVisits<{ number: number; times: number }>({
      postgresql: `SELECT substr(path, 11)::int AS number, count(*)::int AS times FROM visits_full
        WHERE path LIKE '/numbered/%' AND substr(path, 11)::int >= ${first} GROUP BY 1`,
      clickhouse: `SELECT toUInt32(substr(path, 11)) AS number, count() AS times FROM ${this.clickhouse?.visits}
        WHERE path LIKE '/numbered/%' AND number >= ${first} GROUP BY number`,
    });
    return new Map(rows.map(({ number, times }) => [number, times]));
  }

  /** Returns each stored visit's result and reason by its ID, such as `not_verifiable dns_pending`. */
  async storedVerdicts(): Promise<Map<string, string>> {
    const rows = await this.queryVisits<{ id: string; verdict: string }>({
      postgresql: `SELECT id, concat(result, ' ', document -> 'identification' ->> 'reason') AS verdict FROM visits_full`,
      clickhouse: `SELECT id, concat(result, ' ', JSONExtractString(document, 'identification', 'reason')) AS verdict
        FROM ${this.clickhouse?.visits}`,
    });
    return new Map(rows.map(({ id, verdict }) => [id, verdict]));
  }

  /** Returns the number of stored visits and the totals of two count tables. All three must match. */
  async countTotals(): Promise<{ stored: number; counted: number; pages: number }> {
    const { rows } = await this.database.query(
      `SELECT (SELECT coalesce(sum(visits), 0)::int FROM visit_counts) AS counted,
         (SELECT coalesce(sum(visits), 0)::int FROM visit_top_counts WHERE dimension LIKE '%page') AS pages`,
    );
    const [visits] = await this.queryVisits<{ stored: number }>({
      postgresql: `SELECT count(*)::int AS stored FROM visits_full`,
      clickhouse: `SELECT count() AS stored FROM ${this.clickhouse?.visits}`,
    });
    return { stored: visits!.stored, ...rows[0] };
  }

  /** Returns the number of batches that PostgreSQL has accepted and ClickHouse may not have stored. */
  async countPendingBatches(): Promise<number> {
    const { rows } = await this.database.query(`SELECT count(*)::int AS batches FROM visit_batches`);
    return rows[0].batches;
  }

  private async queryVisits<Row extends object>(text: { postgresql: string; clickhouse: string }): Promise<Row[]> {
    if (this.clickhouse !== null) return this.clickhouse.query<Row>(text.clickhouse);
    return (await this.database.query<Row>(text.postgresql)).rows;
  }

  logs(): string {
    return SERVICES.filter((name) => this.stack.has(name))
      .flatMap((name) => this.stack.service(name).map(({ output }) => `── ${name}\n${output.slice(-3_000)}`))
      .join('\n');
  }

  async dispose(): Promise<void> {
    if (!disposables.delete(this)) return;
    await this.database.end();
    await this.clickhouse?.close();
    await this.stack.stop();
  }
}

function toEnvironment({ url, user, password, database }: VisitStoreOptions, port?: number): Record<string, string> {
  const address = new URL(url);
  if (port !== undefined) address.port = String(port);
  return {
    CLICKHOUSE_URL: address.origin,
    CLICKHOUSE_USER: user,
    CLICKHOUSE_PASSWORD: password,
    // Replaces the password in docker-compose.yml.
    CLICKHOUSE_PASSWORD_FILE: '',
    CLICKHOUSE_DATABASE: database,
  };
}
