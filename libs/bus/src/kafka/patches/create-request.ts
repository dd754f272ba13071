/** What kafkajs sends, of which each kind has its own fields. */
interface Request {
  apiKey: number;
  apiVersion: number;
  encode(room: number): Promise<Encoded>;
}

interface Encoded {
  buffer: Buffer;
  /** Has as much room before what was encoded as was asked for; absent where kafkajs encoded it. */
  whole?: Buffer;
}

/** Bytes of the head of a request beside the name of the client. */
const HEAD = 14;

/**
 * A request with its head (Kafka protocol guide, "Request Header" of version 1), by the bytes that kafkajs writes. Messages
 * that are sent stay where they were encoded. kafkajs copies each request twice, into cleared buffers of up to twice its size;
 * V8 collects all garbage when much was made outside of its heap.
 *
 * Upstream: none known.
 */
export async function createRequest(given: {
  correlationId: number;
  clientId: string;
  request: Request;
}): Promise<{ buffer: Buffer }> {
  const { apiKey, apiVersion, encode } = given.request;
  const name = Buffer.from(given.clientId);
  const room = HEAD + name.length;
  const encoded = await encode(room);
  const buffer = encoded.whole ?? Buffer.concat([Buffer.allocUnsafe(room), encoded.buffer]);
  let at = buffer.writeInt32BE(buffer.length - 4, 0);
  at = buffer.writeInt16BE(apiKey, at);
  at = buffer.writeInt16BE(apiVersion, at);
  at = buffer.writeInt32BE(given.correlationId, at);
  at = buffer.writeInt16BE(name.length, at);
  name.copy(buffer, at);
  return { buffer };
}
