import { requestContext } from '#libs/platform';
import type { DataSource, EntityManager } from 'typeorm';

/** Sets the actor for the audit log triggers until the transaction ends. */
const SET_ACTOR = `SELECT set_config('agent_traffic.actor', $1, true)`;

/**
 * Runs a transaction and attributes its changes in the audit log to the current request's actor. Outside a request,
 * changes are attributed to the service. Every request that changes audited tables must use it.
 */
export function auditedTransaction<T>(
  dataSource: DataSource,
  work: (transaction: EntityManager) => Promise<T>,
): Promise<T> {
  const actor = requestContext.get()?.actor;
  return dataSource.transaction(async (transaction) => {
    if (actor !== undefined) await transaction.query(SET_ACTOR, [JSON.stringify(actor)]);
    return work(transaction);
  });
}
