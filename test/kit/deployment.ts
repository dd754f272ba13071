import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Pool } from 'pg';
import { SHORT_LIVED } from '../stack/kafka-files.ts';
import type { ServerProcess } from '../stack/server-process.ts';
import { Stack, type StackOptions } from '../stack/stack.ts';
import { Client } from './client.js';
import { ALONE, KEEPS_COMPILED, leftOvers } from './instance.js';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');

export type ServiceName = 'gateway' | 'console' | 'enrichment' | 'ingest' | 'catalog' | 'rules';

export const SERVICES: ServiceName[] = ['gateway', 'console', 'enrichment', 'ingest', 'catalog', 'rules'];
/** Keeps ports apart from a manually started stack and from other workers' stacks. */
export const PORT_OFFSET = 4_050 + 300 * Number(process.env['JEST_WORKER_ID'] ?? 0);

interface DeploymentOptions extends Pick<StackOptions, 'root' | 'kafkaBrokers' | 'scale' | 'env' | 'only'> {
  /** Port for connections to PostgreSQL, such as a relay's. Default: PostgreSQL's own port. */
  databasePort?: number;
}

/** Deployment like the one in docker-compose.yml, which tests can break. */
export class Deployment {
  private constructor(
    readonly stack: Stack,
    /** Client of the edge (or of the first gateway, if there is no edge) and of the first console. */
    readonly client: Client,
    readonly databaseUrl: string,
    readonly database: Pool,
  ) {}

  static async start({ databasePort, ...options }: DeploymentOptions = {}): Promise<Deployment> {
    const stack = await Stack.start({
      only: SERVICES,
      portOffset: PORT_OFFSET,
      javaOptions: SHORT_LIVED,
      ...options,
      env: {
        ...ALONE,
        ...KEEPS_COMPILED,
        ...(databasePort !== undefined && {
          DATABASE_URL: `postgres://agent_traffic@127.0.0.1:${databasePort}/agent_traffic`,
        }),
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
    const deployment = new Deployment(stack, client, url.href, database);
    leftOvers.add(deployment);
    return deployment;
  }

  /** First process of a service. */
  process(name: string): ServerProcess {
    return this.stack.service(name)[0]!;
  }

  postgresProgram(name: string): string {
    return join(dirname(this.process('postgres').command.command), name);
  }

  /** Runs a build's CLI in the console's environment. @returns stdout. */
  async cli(args: readonly string[], root = ROOT): Promise<string> {
    const env = {
      ...this.process('console').command.env,
      AGENT_TRAFFIC_URL: this.stack.url('console'),
      AGENT_TRAFFIC_API_KEY: this.client.target.apiKey,
    };
    const { stdout } = await run(process.execPath, [join(root, 'apps/cli/bin/agent-traffic.mjs'), ...args], { env });
    return stdout;
  }

  /** Number of times each numbered visit is stored, starting at number `first`. */
  async timesStored(first: number): Promise<Map<number, number>> {
    const { rows } = await this.database.query<{ number: number; times: number }>(
      `SELECT substr(path, 11)::int AS number, count(*)::int AS times FROM visits_full
       WHERE path LIKE '/numbered/%' AND substr(path, 11)::int >= $1 GROUP BY 1`,
      [first],
    );
    return new Map(rows.map(({ number, times }) => [number, times]));
  }

  /** Stored visits and the totals of two count tables. All three must match. */
  async sums(): Promise<{ stored: number; counted: number; pages: number }> {
    const { rows } = await this.database.query(
      `SELECT (SELECT count(*)::int FROM visits_full) AS stored,
         (SELECT coalesce(sum(visits), 0)::int FROM visit_counts) AS counted,
         (SELECT coalesce(sum(visits), 0)::int FROM visit_top_counts WHERE dimension LIKE '%page') AS pages`,
    );
    return rows[0];
  }

  logs(): string {
    return SERVICES.filter((name) => this.stack.has(name))
      .flatMap((name) => this.stack.service(name).map(({ output }) => `── ${name}\n${output.slice(-3_000)}`))
      .join('\n');
  }

  async dispose(): Promise<void> {
    if (!leftOvers.delete(this)) return;
    await this.database.end();
    await this.stack.stop();
  }
}
