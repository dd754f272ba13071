import type { ReceivedMessage } from '#libs/bus';
import { receivedMessage as message } from '../../apps/gateway/src/visits/received-message.js';

/** What enrichment gets of posted visits. */
export const receivedMessage = (batch: { id: string; projectId: string }, visits: object[]): ReceivedMessage => ({
  ...message(
    { ...batch, traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' },
    Buffer.from(JSON.stringify(visits)),
  ),
  partition: 0,
  offset: '0',
});
