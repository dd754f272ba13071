import { decompress } from './gzip.js';
import { MAX_BODY_BYTES } from './protocols.js';

type Bytes = Uint8Array<ArrayBuffer>;

/** Collects body chunks as they pass through, up to `MAX_BODY_BYTES`. */
export class CollectedBody {
  private chunks: (Bytes | string)[] = [];
  private size = 0;
  private isComplete = true;

  /** Returns false if the body exceeded the limit or was discarded, so no more chunks are needed. */
  add(chunk: unknown): boolean {
    if (!this.isComplete || !(typeof chunk === 'string' || chunk instanceof Uint8Array)) return this.isComplete;
    this.size += chunk.length;
    if (this.size > MAX_BODY_BYTES) this.discard();
    else this.chunks.push(chunk as Bytes | string);
    return this.isComplete;
  }

  discard(): void {
    this.isComplete = false;
    this.chunks = [];
  }

  /**
   * Returns the decompressed body as text. Returns an empty string if nothing was collected, decompression fails or the
   * text exceeds `MAX_BODY_BYTES`.
   */
  async text(encoding = ''): Promise<string> {
    if (this.chunks.length === 0) return '';
    try {
      return await readText(decompress(new Blob(this.chunks), encoding));
    } catch {
      return '';
    }
  }
}

/** Reads a web stream. Cancels it once the body exceeds `MAX_BODY_BYTES`. */
export async function collectBody(stream: ReadableStream<Uint8Array> | null): Promise<CollectedBody> {
  const body = new CollectedBody();
  const reader = stream?.getReader();
  try {
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
      if (done) return body;
      if (!body.add(value)) break;
    }
    await reader?.cancel();
  } catch {
    body.discard();
  }
  return body;
}

async function readText(stream: ReadableStream<Bytes>): Promise<string> {
  const decoder = new TextDecoder();
  let [text, size] = ['', 0];
  for await (const bytes of stream as unknown as AsyncIterable<Bytes>) {
    size += bytes.length;
    // Returning from the loop cancels the stream.
    if (size > MAX_BODY_BYTES) return '';
    text += decoder.decode(bytes, { stream: true });
  }
  return text + decoder.decode();
}
