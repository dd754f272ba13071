type Bytes = Uint8Array<ArrayBuffer>;

/** Compresses a text. Returns null if the runtime has no `CompressionStream`. */
export async function gzip(text: string): Promise<Bytes | null> {
  if (typeof CompressionStream === 'undefined') return null;
  const packed = through(new Blob([text]), new CompressionStream('gzip'));
  return new Uint8Array(await new Response(packed).arrayBuffer());
}

/** Content encodings that `DecompressionStream` knows by another name. */
const FORMATS: Record<string, string> = { br: 'brotli', 'x-gzip': 'gzip' };

/**
 * Decompresses a body by its Content-Encoding. The stream fails if the body isn't in that encoding.
 *
 * @throws if the runtime doesn't support the encoding.
 */
export function decoded(body: Blob, encoding: string): ReadableStream<Bytes> {
  const name = encoding.trim().toLowerCase();
  if (name === '' || name === 'identity') return body.stream();
  return through(body, new DecompressionStream((FORMATS[name] ?? name) as 'gzip'));
}

const through = (body: Blob, transform: CompressionStream | DecompressionStream): ReadableStream<Bytes> =>
  body.stream().pipeThrough(transform as unknown as ReadableWritablePair<Bytes, Bytes>);
