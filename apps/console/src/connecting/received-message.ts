import type { BusMessage } from '#libs/bus';
import { RECEIVED_HEADERS, timeOfId, TOPICS, type Visit } from '#libs/contracts';

export interface Batch {
  /** As `newBatchId` makes it. Sent again with the same one, visits are stored once. */
  id: string;
  projectId: string;
  traceparent: string;
}

/** The message that the gateway makes of what a site reports. */
export const receivedMessage = (
  { id, projectId, traceparent }: Batch,
  visits: Visit | readonly Visit[],
): BusMessage => ({
  topic: TOPICS.visitsReceived,
  key: id,
  value: Buffer.from(JSON.stringify(visits)),
  headers: {
    [RECEIVED_HEADERS.batchId]: id,
    [RECEIVED_HEADERS.projectId]: projectId,
    [RECEIVED_HEADERS.receivedAt]: new Date(timeOfId(id)).toISOString(),
    [RECEIVED_HEADERS.traceparent]: traceparent,
  },
});
