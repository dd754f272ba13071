const RUN = Symbol('run');

/** Runs a statement. A generic plan is used for all parameters; otherwise PostgreSQL may plan for these. */
export type RunStatement = <Row>(text: string, parameters: unknown[], plan: 'auto' | 'generic') => Promise<Row[]>;

/** A view of the store in which all reads are from the same moment. Opaque: callers get it and pass it on. */
export interface Snapshot {
  readonly [RUN]: RunStatement;
}

export const snapshotOf = (run: RunStatement): Snapshot => ({ [RUN]: run });

/** Reads rows in a snapshot. */
export const select = <Row>(snapshot: Snapshot, text: string, parameters: unknown[]): Promise<Row[]> =>
  snapshot[RUN]<Row>(text, parameters, 'auto');

/**
 * Like {@link select}, but plans the statement once per connection. For a few fixed texts that take long to plan.
 * Don't read stored visits of some days with it: the plan locks every partition and its indexes, and PostgreSQL has 64 locks per
 * connection.
 */
export const selectWithGenericPlan = <Row>(snapshot: Snapshot, text: string, parameters: unknown[]): Promise<Row[]> =>
  snapshot[RUN]<Row>(text, parameters, 'generic');
