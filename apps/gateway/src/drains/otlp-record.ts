import type { Entry } from '#libs/access-log';
import { DRAIN_LIMITS } from '#libs/contracts';

const PREVIEW_BYTES = 300;

/** OTLP log record or span that is decoded on demand. */
export class OtlpRecord {
  constructor(
    readonly bytes: Buffer,
    private readonly decode: (bytes: Buffer) => Entry,
  ) {}

  /** Size in bytes. */
  get length(): number {
    return this.bytes.length;
  }

  /** Decodes the record's attributes and body. Returns null if the record exceeds the line limit or can't be decoded. */
  entry(): Entry | null {
    if (this.length > DRAIN_LIMITS.lineBytes) return null;
    try {
      return this.decode(this.bytes);
    } catch {
      return null;
    }
  }

  preview(): string {
    return this.bytes.toString('utf8', 0, PREVIEW_BYTES);
  }
}
