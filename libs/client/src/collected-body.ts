import { decoded } from './gzip.js';
import { MAX_BODY_BYTES } from './protocols.js';

type Bytes = Uint8Array<ArrayBuffer>;

/** The chunks of a body as they pass by, as long as there are not too many. */
export class CollectedBody {
  private chunks: (Bytes | string)[] = [];
  private size = 0;
  private isWhole = true;

  /** @returns false once the body is too long. */
  add(chunk: unknown): boolean {
    if (!this.isWhole || !(typeof chunk === 'string' || chunk instanceof Uint8Array)) return this.isWhole;
    this.size += chunk.length;
    if (this.size > MAX_BODY_BYTES) this.giveUp();
    else this.chunks.push(chunk as Bytes | string);
    return this.isWhole;
  }

  /** Drops a body of which a part was missed. */
  giveUp(): void {
    this.isWhole = false;
    this.chunks = [];
  }

  /** Returns the body as text; empty if it is unknown, or longer than the limit once it is unpacked. */
  async text(encoding = ''): Promise<string> {
    if (this.chunks.length === 0) return '';
    try {
      return await readText(decoded(new Blob(this.chunks), encoding));
    } catch {
      return '';
    }
  }
}

/** Reads a body of the web up to the limit, and leaves the rest unread. */
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
    // It broke off.
    body.giveUp();
  }
  return body;
}

/** @throws if the stream isn't of the encoding that it is unpacked from. */
async function readText(stream: ReadableStream<Bytes>): Promise<string> {
  const decoder = new TextDecoder();
  let [text, size] = ['', 0];
  for await (const bytes of stream as unknown as AsyncIterable<Bytes>) {
    size += bytes.length;
    // Leaving the loop cancels the stream.
    if (size > MAX_BODY_BYTES) return '';
    text += decoder.decode(bytes, { stream: true });
  }
  return text + decoder.decode();
}
