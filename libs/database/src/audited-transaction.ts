import { requestContext } from '#libs/platform';
import type { DataSource, EntityManager } from 'typeorm';

/** Setting that the triggers of the audit log read. It ends with the transaction. */
const SET_ACTOR = `SELECT set_config('agent_traffic.actor', $1, true)`;

/**
 * Runs a transaction whose changes the audit log attributes to the actor of the current request. Without an actor, they
 * are the service's own. Every change of an audited table that a request asks for goes through here.
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
