import { logRecord, type Entry } from '#libs/access-log';
import { DRAIN_LIMITS } from '#libs/contracts';

/** Bytes of a record that are shown when it can't be decoded. */
const SHOWN_BYTES = 300;

/** A log record of OTLP, which is decoded only when it's read and within the limit of a line. */
export class OtlpRecord {
  constructor(
    readonly bytes: Buffer,
    /** Decodes the bytes into the record's JSON. */
    private readonly decode: (bytes: Buffer) => unknown,
  ) {}

  /** Bytes. */
  get length(): number {
    return this.bytes.length;
  }

  /** The record's attributes and body; null if it's too long, or can't be decoded. */
  entry(): Entry | null {
    if (this.length > DRAIN_LIMITS.lineBytes) return null;
    try {
      return logRecord(this.decode(this.bytes));
    } catch {
      return null;
    }
  }

  /** The beginning of the record as text, for people. */
  preview(): string {
    return this.bytes.toString('utf8', 0, SHOWN_BYTES);
  }
}
