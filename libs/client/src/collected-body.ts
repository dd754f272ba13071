import { decoded } from './gzip.js';
import { MAX_BODY_BYTES } from './protocols.js';

type Bytes = Uint8Array<ArrayBuffer>;

/** Collects the chunks of a body as they pass through, up to `MAX_BODY_BYTES`. */
export class CollectedBody {
  private chunks: (Bytes | string)[] = [];
  private size = 0;
  private isWhole = true;

  /** @returns false once the body is too long or was given up. */
  add(chunk: unknown): boolean {
    if (!this.isWhole || !(typeof chunk === 'string' || chunk instanceof Uint8Array)) return this.isWhole;
    this.size += chunk.length;
    if (this.size > MAX_BODY_BYTES) this.giveUp();
    else this.chunks.push(chunk as Bytes | string);
    return this.isWhole;
  }

  /** Discards the body. Called if part of it was missed. */
  giveUp(): void {
    this.isWhole = false;
    this.chunks = [];
  }

  /**
   * Returns the decompressed body as text. Returns an empty string if nothing was collected, the encoding is wrong or
   * the text exceeds the limit.
   */
  async text(encoding = ''): Promise<string> {
    if (this.chunks.length === 0) return '';
    try {
      return await readText(decoded(new Blob(this.chunks), encoding));
    } catch {
      return '';
    }
  }
}

/** Reads a web stream up to the limit and cancels the rest. */
export async function collectedBody(stream: ReadableStream<Uint8Array> | null): Promise<CollectedBody> {
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
    body.giveUp();
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
