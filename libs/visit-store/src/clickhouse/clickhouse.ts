import { text as readText } from 'node:stream/consumers';
import {
  ClickHouseError,
  ClickHouseLogLevel,
  createClient,
  type ClickHouseClient,
  type ClickHouseSettings,
} from '@clickhouse/client';
import { ReadTimeoutError } from '../read-timeout-error.js';
import type { VisitStoreOptions } from '../visit-store-settings.js';
import { divideLongParameters } from './long-parameters.js';
import { measure, visitStoreMetrics } from './visit-store-metrics.js';

/** Codes of TIMEOUT_EXCEEDED and MEMORY_LIMIT_EXCEEDED. */
const EXCEEDED_LIMITS: ReadonlySet<string | undefined> = new Set(['159', '241']);
/** Time limit of a statement unless another is given, in milliseconds. */
const DEFAULT_TIMEOUT_MS = 30_000;
/** Additional time for the response to arrive, so that the server's own time limit applies first. */
const RESPONSE_TIMEOUT_MS = 5_000;

/** Limits that keep a statement from using up the server's memory. Larger sorts and groups use the disk. */
const MEMORY_LIMITS = {
  max_memory_usage: String(2 * 2 ** 30),
  max_bytes_before_external_group_by: String(2 ** 29),
  max_bytes_before_external_sort: String(2 ** 29),
} satisfies ClickHouseSettings;

/** Settings for a cluster: an insert is only acknowledged when most replicas have it, and reads include all of those. */
const CLUSTER_SETTINGS = {
  insert_quorum: 'auto',
  insert_quorum_parallel: 0,
  select_sequential_consistency: '1',
  distributed_foreground_insert: 1,
} satisfies ClickHouseSettings;

interface StatementOptions {
  /** Time limit in milliseconds. Default: 30,000. */
  timeoutMs?: number;
  settings?: ClickHouseSettings;
}

/** Parameters of a statement by name, such as `{project:UUID}`. */
type Parameters = Record<string, unknown>;

/** Connections to the ClickHouse server or cluster that stores the visits. */
export class ClickHouse {
  /** Qualified name of the table to read from and to insert into. */
  readonly visits: string;
  /** Qualified name of the table whose rows this server stores. Use it with {@link onCluster} to change rows. */
  readonly localVisits: string;
  /** Clause that runs a DDL statement on all servers. */
  readonly onCluster: string;
  private readonly client: ClickHouseClient;
  private readonly stopping = new AbortController();
  private stopTimer: NodeJS.Timeout | undefined;

  constructor(readonly options: VisitStoreOptions) {
    const { url, user, password, database, cluster, ca } = options;
    this.visits = `${database}.visits`;
    this.localVisits = cluster === null ? this.visits : `${database}.visits_local`;
    this.onCluster = cluster === null ? '' : ` ON CLUSTER ${cluster}`;
    this.client = createClient({
      url,
      username: user,
      password,
      // The database is part of each table name, because it doesn't exist before the migration.
      database: 'default',
      application: 'agent-traffic',
      // Each statement has its own time limit.
      request_timeout: 0,
      // Callers log the errors.
      log: { level: ClickHouseLogLevel.OFF },
      max_open_connections: 16,
      use_multipart_params_auto: true,
      ...(ca !== null && { tls: { ca_cert: Buffer.from(ca) } }),
      clickhouse_settings: {
        ...MEMORY_LIMITS,
        ...(cluster !== null && CLUSTER_SETTINGS),
        output_format_json_quote_64bit_integers: 0,
        // Otherwise, an unmatched row of a join has a default value instead of NULL.
        join_use_nulls: 1,
      },
    });
  }

  /**
   * Runs a query. Array parameters can be of any length.
   *
   * @throws {ReadTimeoutError} if the statement exceeds its time limit.
   */
  async query<Row>(
    text: string,
    parameters: Parameters = {},
    { timeoutMs = DEFAULT_TIMEOUT_MS, settings = {} }: StatementOptions = {},
  ): Promise<Row[]> {
    const divided = divideLongParameters(text, parameters);
    const run = async (signal: AbortSignal): Promise<Row[]> => {
      const result = await this.client.query({
        query: divided.text,
        query_params: divided.parameters,
        format: 'JSONEachRow',
        clickhouse_settings: { max_execution_time: timeoutMs / 1_000, ...settings },
        abort_signal: signal,
      });
      return result.json<Row>();
    };
    return measure(visitStoreMetrics.querySeconds, () => this.run(timeoutMs, run));
  }

  /** Runs a statement that has no result. Its parameters are part of the URL, so they must be short. */
  async command(
    text: string,
    parameters: Parameters = {},
    { timeoutMs = DEFAULT_TIMEOUT_MS, settings = {} }: StatementOptions = {},
  ): Promise<void> {
    const seconds = timeoutMs / 1_000;
    await this.run(timeoutMs, (signal) =>
      this.client.command({
        query: text,
        query_params: parameters,
        clickhouse_settings: {
          max_execution_time: seconds,
          ...(this.onCluster !== '' && { distributed_ddl_task_timeout: String(seconds) }),
          ...settings,
        },
        abort_signal: signal,
      }),
    );
  }

  /**
   * Inserts rows. If rows with the same token have been inserted before, this has no effect.
   *
   * @param lines Lines in the JSONCompactEachRow format.
   */
  async insert(table: string, columns: readonly string[], lines: string, token: string): Promise<void> {
    await this.command(
      `INSERT INTO ${table} (${columns.join(', ')}) FORMAT JSONCompactEachRow\n${lines}`,
      {},
      {
        settings: {
          // Older servers don't recognize repeated asynchronous inserts.
          async_insert: 0,
          insert_deduplicate: 1,
          insert_deduplication_token: token,
          // Imported visits can be from any number of days, each of which is a partition.
          max_partitions_per_insert_block: '0',
        },
      },
    );
  }

  /** Returns whether the user has a right, such as `SELECT ON system.parts`. */
  async hasRight(right: string): Promise<boolean> {
    // This statement doesn't support the FORMAT clause that `query` adds.
    const result = await this.run(DEFAULT_TIMEOUT_MS, async (signal) => {
      const { stream } = await this.client.exec({ query: `CHECK GRANT ${right}`, abort_signal: signal });
      return readText(stream);
    });
    return result.trim() === '1';
  }

  /** Aborts all statements after a time in milliseconds, so that an unresponsive server doesn't delay the shutdown. */
  abortAfter(delayMs: number): void {
    this.stopTimer = setTimeout(() => this.stopping.abort(), delayMs);
  }

  async close(): Promise<void> {
    clearTimeout(this.stopTimer);
    await this.client.close();
  }

  private async run<T>(timeoutMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs + RESPONSE_TIMEOUT_MS), this.stopping.signal]);
    try {
      // The client ignores signals that are already aborted.
      signal.throwIfAborted();
      return await work(signal);
    } catch (error) {
      if (error instanceof ClickHouseError && EXCEEDED_LIMITS.has(error.code))
        throw new ReadTimeoutError(`A statement exceeded the time limit of ${timeoutMs} ms, or the memory limit`, {
          cause: error,
        });
      if (signal.aborted)
        throw Object.assign(new Error('ClickHouse did not respond in time', { cause: error }), { code: 'ETIMEDOUT' });
      throw error;
    }
  }
}
