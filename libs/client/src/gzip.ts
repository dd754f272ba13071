type Bytes = Uint8Array<ArrayBuffer>;

/** Packs a text; null where the runtime cannot. */
export async function gzip(text: string): Promise<Bytes | null> {
  if (typeof CompressionStream === 'undefined') return null;
  const packed = through(new Blob([text]), new CompressionStream('gzip'));
  return new Uint8Array(await new Response(packed).arrayBuffer());
}

/**
 * Unpacks a body by its Content-Encoding. The stream fails if the body is not of that encoding.
 *
 * @throws where the runtime does not know the encoding.
 */
export function decoded(body: Blob, encoding: string): ReadableStream<Bytes> {
  if (encoding === '' || encoding === 'identity') return body.stream();
  return through(body, new DecompressionStream(encoding as 'gzip'));
}

const through = (body: Blob, transform: CompressionStream | DecompressionStream): ReadableStream<Bytes> =>
  body.stream().pipeThrough(transform as unknown as ReadableWritablePair<Bytes, Bytes>);
