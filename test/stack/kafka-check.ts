import { connect } from 'node:net';

/** Length, API key 18 (ApiVersions), version 0, correlation ID 1, null client ID. */
const REQUEST = Buffer.from('0000000a0012000000000001ffff', 'hex');
/** Offset of the error code in the response, after length and correlation ID. */
const ERROR_CODE = 8;
const TIMEOUT_MS = 2_000;

/**
 * Returns whether a broker responds to requests, like `kafka-broker-api-versions.sh` without starting a JVM.
 *
 * @param address `host:port`
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
