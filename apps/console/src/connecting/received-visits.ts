import type { ReceivedVisits } from '#libs/bus';
import type { Visit } from '#libs/contracts';

/**
 * Returns a message with visits, as if a site had reported them in one request.
 *
 * @param batch its ID makes publishing idempotent: if it is published again, its visits are still stored once.
 */
export function receivedVisits(
  batch: Pick<ReceivedVisits, 'batchId' | 'projectId' | 'traceparent'>,
  visits: readonly Visit[],
): ReceivedVisits {
  const bytes = Buffer.byteLength(JSON.stringify(visits));
  return { ...batch, visits, indices: null, visitIds: null, isSingle: false, bytes };
}
