import type { ReceivedVisits } from '#libs/bus';
import type { Visit } from '#libs/contracts';

/**
 * Creates a message with visits, as if a site had reported them in one request.
 *
 * @param batch Its ID makes publishing idempotent. Visits in a batch that is published again are stored only once.
 */
export function createReceivedVisits(
  batch: Pick<ReceivedVisits, 'batchId' | 'projectId' | 'traceparent'>,
  visits: readonly Visit[],
): ReceivedVisits {
  const bytes = Buffer.byteLength(JSON.stringify(visits));
  return { ...batch, visits, indices: null, visitIds: null, isSingle: false, bytes };
}
