const RUN = Symbol('run');

/**
 * Runs a statement. A generic plan is the same for all parameters. With `auto`, PostgreSQL can plan for these
 * parameters.
 */
export type RunStatement = <Row>(text: string, parameters: unknown[], plan: 'auto' | 'generic') => Promise<Row[]>;

/** A view of the store in which all reads are from the same moment. Opaque to callers. */
export interface Snapshot {
  readonly [RUN]: RunStatement;
}

export const snapshotOf = (run: RunStatement): Snapshot => ({ [RUN]: run });

export const select = <Row>(snapshot: Snapshot, text: string, parameters: unknown[]): Promise<Row[]> =>
  snapshot[RUN]<Row>(text, parameters, 'auto');

/**
 * Like {@link select}, but plans the statement only once per connection. Use it for statements with a fixed text that
 * take long to plan.
 *
 * Don't use it for stored visits of a few days. The plan locks every partition and its indexes, and PostgreSQL has
 * space for about 64 locks per connection.
 */
export const selectWithGenericPlan = <Row>(snapshot: Snapshot, text: string, parameters: unknown[]): Promise<Row[]> =>
  snapshot[RUN]<Row>(text, parameters, 'generic');
