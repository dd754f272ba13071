import { RECEIVED_VISITS, type ReceivedMessage, type ReceivedVisits } from '#libs/bus';
import type { Visit } from '#libs/contracts';

/** Returns the message that the gateway publishes for posted items, whether valid or not. */
function createReceivedMessage(
  { id: batchId, projectId }: { id: string; projectId: string },
  items: object[],
): ReceivedMessage {
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  const batch = { batchId, projectId, traceparent, indices: null, visitIds: null, isSingle: false, bytes: 0 };
  return { ...RECEIVED_VISITS.encode({ ...batch, visits: items as Visit[] }), partition: 0, offset: '0' };
}

/** Returns the batch that enrichment receives for posted visits. */
export function createReceivedVisits(batch: { id: string; projectId: string }, visits: object[]): ReceivedVisits {
  const decoded = RECEIVED_VISITS.decode(createReceivedMessage(batch, visits));
  if (!decoded.ok) throw new Error(decoded.outcome.detail);
  return decoded.value;
}
