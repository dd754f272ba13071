import type { ReceivedVisits } from '#libs/bus';
import type { Visit } from '#libs/contracts';

/**
 * Returns visits as if a site had reported them in one request.
 *
 * @param batch if it is published again with the same batch ID, its visits are stored once.
 */
export function receivedVisits(
  batch: Pick<ReceivedVisits, 'batchId' | 'projectId' | 'traceparent'>,
  visits: readonly Visit[],
): ReceivedVisits {
  const bytes = Buffer.byteLength(JSON.stringify(visits));
  return { ...batch, visits, indices: null, visitIds: null, isSingle: false, bytes };
}
