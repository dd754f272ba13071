import { connect } from 'node:net';

/** Request with length, API key 18 (ApiVersions), version 0, correlation ID 1, and a null client ID. */
const REQUEST = Buffer.from('0000000a0012000000000001ffff', 'hex');
/** Offset of the error code in the response, after the length and the correlation ID. */
const ERROR_CODE = 8;
const TIMEOUT_MS = 2_000;

/**
 * Returns whether a broker responds to requests. Equivalent to `kafka-broker-api-versions.sh`, but without starting a
 * JVM.
 *
 * @param address Address in the form `host:port`.
 */
export async function isBrokerResponsive(address: string): Promise<boolean> {
  const [host, port] = address.split(':');
  const socket = connect(Number(port), host);
  const response = await new Promise<Buffer | null>((resolve) => {
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
  return response?.readInt16BE(ERROR_CODE) === 0;
}
