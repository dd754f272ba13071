const RUN = Symbol('run');

/**
 * Runs a statement. A generic plan is reused for all parameter values, whereas `auto` lets PostgreSQL plan for the
 * values in this call.
 */
export type RunStatement = <Row>(text: string, parameters: unknown[], plan: 'auto' | 'generic') => Promise<Row[]>;

/**
 * A consistent view of the visit store: all reads see it as of the same moment. If ClickHouse stores the visits, that
 * only applies to the counts.
 */
export interface Snapshot {
  readonly [RUN]: RunStatement;
  /** Time limit for each statement, in milliseconds. */
  readonly timeoutMs: number;
}

const DEFAULT_TIMEOUT_MS = 30_000;

export const createSnapshot = (run: RunStatement, timeoutMs = DEFAULT_TIMEOUT_MS): Snapshot => ({
  [RUN]: run,
  timeoutMs,
});

export const select = <Row>(snapshot: Snapshot, text: string, parameters: unknown[]): Promise<Row[]> =>
  snapshot[RUN]<Row>(text, parameters, 'auto');

/**
 * Like {@link select}, but plans the statement only once per connection. Use it for statements whose text is fixed and
 * that take a long time to plan.
 *
 * Don't use it to read stored visits from only a few days. A generic plan locks every partition and its indexes, and
 * PostgreSQL reserves space for about 64 locks per connection.
 */
export const selectWithGenericPlan = <Row>(snapshot: Snapshot, text: string, parameters: unknown[]): Promise<Row[]> =>
  snapshot[RUN]<Row>(text, parameters, 'generic');
