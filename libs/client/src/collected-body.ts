import { decoded } from './gzip.js';
import { MAX_BODY_BYTES } from './protocols.js';

/** The bytes of a body as they pass by, as long as there are not too many. */
export class CollectedBody {
  private chunks: Uint8Array[] = [];
  private size = 0;
  private isWhole = true;

  add(chunk: unknown): void {
    if (!this.isWhole) return;
    const bytes = typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk;
    if (!(bytes instanceof Uint8Array)) return;
    this.size += bytes.length;
    if (this.size > MAX_BODY_BYTES) this.giveUp();
    else this.chunks.push(bytes);
  }

  /** Of a body that is not whole, nothing is known. */
  giveUp(): void {
    this.isWhole = false;
    this.chunks = [];
  }

  /** Returns the body as text; empty where it is not known, or longer than the limit once it is unpacked. */
  async text(encoding = ''): Promise<string> {
    try {
      return await readText(decoded(new Blob(this.chunks as Uint8Array<ArrayBuffer>[]), encoding));
    } catch {
      return '';
    }
  }
}

/** Reads a body, up to the limit; empty where it is longer or breaks off. Leaves the rest unread. */
export async function readText(stream: ReadableStream<Uint8Array> | null): Promise<string> {
  if (stream === null) return '';
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let [text, size] = ['', 0];
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return text + decoder.decode();
      size += value.length;
      if (size > MAX_BODY_BYTES) break;
      text += decoder.decode(value, { stream: true });
    }
    await reader.cancel();
  } catch {
    // It broke off.
  }
  return '';
}
