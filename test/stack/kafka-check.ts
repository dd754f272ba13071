import { connect } from 'node:net';

/** Length, request 18 (ApiVersions), version 0, correlation id 1, no client id. */
const REQUEST = Buffer.from('0000000a0012000000000001ffff', 'hex');
/** Of the answer: length and correlation id, then an error code. */
const ERROR_CODE = 8;
/** Milliseconds. */
const TIMEOUT_MS = 2_000;

/**
 * Whether a broker answers requests: what `kafka-broker-api-versions.sh` asks, without a Java for each time.
 *
 * @param address host:port
 */
export async function answersRequests(address: string): Promise<boolean> {
  const [host, port] = address.split(':');
  const socket = connect(Number(port), host);
  const answer = await new Promise<Buffer | null>((resolve) => {
    let received = Buffer.alloc(0);
    socket.setTimeout(TIMEOUT_MS, () => resolve(null));
    socket.on('error', () => resolve(null)).on('close', () => resolve(null));
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      if (received.length >= ERROR_CODE + 2) resolve(received);
    });
    socket.write(REQUEST);
  });
  socket.destroy();
  return answer?.readInt16BE(ERROR_CODE) === 0;
}
