import { RECEIVED_VISITS, type ReceivedMessage, type ReceivedVisits } from '#libs/bus';

/** Returns the message of posted items, which may not be visits. */
function receivedMessage(
  { id: batchId, projectId }: { id: string; projectId: string },
  items: object[],
): ReceivedMessage {
  const body = Buffer.from(JSON.stringify(items));
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  const batch = { batchId, projectId, traceparent, visits: [], indices: null, visitIds: null };
  return { ...RECEIVED_VISITS.encode({ ...batch, body, bytes: body.length }), partition: 0, offset: '0' };
}

/** Returns what enrichment gets of posted visits. */
export function receivedVisits(batch: { id: string; projectId: string }, visits: object[]): ReceivedVisits {
  const decoded = RECEIVED_VISITS.decode(receivedMessage(batch, visits));
  if (!decoded.ok) throw new Error(decoded.outcome.detail);
  return decoded.value;
}
