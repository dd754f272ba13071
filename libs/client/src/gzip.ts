type Bytes = Uint8Array<ArrayBuffer>;

/** Compresses text with gzip. Returns null if the runtime doesn't support `CompressionStream`. */
export async function gzip(text: string): Promise<Bytes | null> {
  if (typeof CompressionStream === 'undefined') return null;
  const compressed = pipeThrough(new Blob([text]), new CompressionStream('gzip'));
  return new Uint8Array(await new Response(compressed).arrayBuffer());
}

/** Maps Content-Encoding names to `DecompressionStream` format names where they differ. */
const FORMAT_NAMES: Record<string, string> = { br: 'brotli', 'x-gzip': 'gzip' };

/**
 * Decompresses a body according to its Content-Encoding. The stream errors if the body is malformed.
 *
 * @throws {TypeError} if the runtime doesn't support the encoding.
 */
export function decompress(body: Blob, encoding: string): ReadableStream<Bytes> {
  const name = encoding.trim().toLowerCase();
  if (name === '' || name === 'identity') return body.stream();
  return pipeThrough(body, new DecompressionStream((FORMAT_NAMES[name] ?? name) as 'gzip'));
}

const pipeThrough = (body: Blob, transform: CompressionStream | DecompressionStream): ReadableStream<Bytes> =>
  body.stream().pipeThrough(transform as unknown as ReadableWritablePair<Bytes, Bytes>);
