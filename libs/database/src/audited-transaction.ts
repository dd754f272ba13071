import { requestContext } from '#libs/platform';
import type { DataSource, EntityManager } from 'typeorm';

/** Sets the actor that the triggers of the audit log read. The setting ends with the transaction. */
const SET_ACTOR = `SELECT set_config('agent_traffic.actor', $1, true)`;

/**
 * Runs a transaction whose changes are logged under the actor of the current request. Outside a request, they are
 * logged under the service. All requests that change audited tables must use it.
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
