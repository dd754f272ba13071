import { logRecord, type Entry } from '#libs/access-log';
import { DRAIN_LIMITS } from '#libs/contracts';

const SHOWN_BYTES = 300;

/** OTLP log record. Only decoded when it's read, and only if it's within the line limit. */
export class OtlpRecord {
  constructor(
    readonly bytes: Buffer,
    private readonly decode: (bytes: Buffer) => unknown,
  ) {}

  /** Size in bytes. */
  get length(): number {
    return this.bytes.length;
  }

  /** Returns the attributes and body of the record, or null if it's too long or can't be decoded. */
  entry(): Entry | null {
    if (this.length > DRAIN_LIMITS.lineBytes) return null;
    try {
      return logRecord(this.decode(this.bytes));
    } catch {
      return null;
    }
  }

  preview(): string {
    return this.bytes.toString('utf8', 0, SHOWN_BYTES);
  }
}
