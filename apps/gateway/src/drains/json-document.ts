import type { JsonLimits } from '#libs/contracts';
import { ProblemError } from '#libs/platform';

/** Path to parts of a document. Each step is the name of a member, or `*` for all elements of an array. */
export type JsonPath = readonly string[];

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_ARRAY, CLOSE_ARRAY] = [0x5b, 0x5d];
const [OPEN_OBJECT, CLOSE_OBJECT] = [0x7b, 0x7d];
/** Whitespace (RFC 8259 section 2). */
const BLANKS: ReadonlySet<number | undefined> = new Set([0x09, 0x0a, 0x0d, 0x20]);
/** Maximum size of a name to compare with a path, in bytes as written. An escape takes up to six bytes. */
const MAX_NAME_BYTES = 128;

/**
 * Finds parts of a JSON document in one linear pass over its bytes. Nothing is parsed, so memory use stays within the
 * size of the document, and each part can be checked against limits first. Parts aren't validated: that's up to their
 * parser.
 */
export class JsonDocument {
  /** True if the path led to an array of parts. */
  hasArray = false;
  private at = 0;
  private values = 0;
  /** Objects entered along the path. */
  private objects = 0;

  constructor(
    private readonly bytes: Buffer,
    private readonly limits: JsonLimits,
  ) {}

  /**
   * Returns whether the bytes are one value. Only checks the structure.
   *
   * @throws ProblemError 422 if a limit is exceeded.
   */
  static isOne(bytes: Buffer, limits: JsonLimits): boolean {
    const document = new JsonDocument(bytes, limits);
    try {
      document.skipBlanks();
      document.skip();
      document.end();
      return true;
    } catch (error) {
      if ((error as ProblemError).type === 'malformed-json') return false;
      throw error;
    }
  }

  /**
   * Yields the bytes of each part at the path.
   *
   * @throws ProblemError 400 if the document isn't JSON, 422 if a limit is exceeded.
   */
  *parts(path: JsonPath): Generator<Buffer> {
    yield* this.partsAt(path, 0);
    this.end();
  }

  private *partsAt(path: JsonPath, level: number): Generator<Buffer> {
    this.skipBlanks();
    const name = path[level];
    const first = this.bytes[this.at];
    if (name === undefined) {
      const start = this.at;
      this.skip();
      yield this.bytes.subarray(start, this.at);
    } else if (name === '*' && first === OPEN_ARRAY) {
      if (level === path.lastIndexOf('*')) this.hasArray = true;
      for (let isMore = this.enter(CLOSE_ARRAY); isMore; isMore = this.continues(CLOSE_ARRAY)) {
        yield* this.partsAt(path, level + 1);
      }
    } else if (name !== '*' && first === OPEN_OBJECT) {
      this.objects += 1;
      if (this.objects > this.limits.members)
        throw this.exceeded(`group its parts in more than ${this.limits.members} objects`);
      let members = 0;
      for (let isMore = this.enter(CLOSE_OBJECT); isMore; isMore = this.continues(CLOSE_OBJECT)) {
        members += 1;
        if (members > this.limits.members) {
          throw this.exceeded(`have more than ${this.limits.members} members in an object`);
        }
        if (this.isNext(name)) yield* this.partsAt(path, level + 1);
        else this.skip();
      }
    } else {
      this.skip();
    }
  }

  /** Enters an array or object. Returns false if it's empty. */
  private enter(close: number): boolean {
    this.at += 1;
    this.count();
    this.skipBlanks();
    return !this.take(close);
  }

  private continues(close: number): boolean {
    this.skipBlanks();
    if (this.take(close)) return false;
    if (!this.take(COMMA)) throw this.malformed();
    this.count();
    this.skipBlanks();
    return true;
  }

  /** Skips the name of a member and its colon. Returns whether the name matches, with escapes decoded. */
  private isNext(name: string): boolean {
    const start = this.at;
    if (this.bytes[start] !== QUOTE) throw this.malformed();
    this.skipString();
    const written = this.bytes.subarray(start + 1, this.at - 1);
    this.skipBlanks();
    if (!this.take(COLON)) throw this.malformed();
    this.skipBlanks();
    if (written.length === name.length) return written.toString('latin1') === name;
    return written.length <= MAX_NAME_BYTES && written.includes(BACKSLASH) && unescaped(written) === name;
  }

  private skip(): void {
    const { bytes } = this;
    const start = this.at;
    let depth = 0;
    for (;;) {
      const byte = bytes[this.at];
      if (byte === QUOTE) {
        this.skipString();
        if (depth === 0) return;
        continue;
      }
      const isEnd = byte === CLOSE_ARRAY || byte === CLOSE_OBJECT;
      if (depth === 0 && (byte === undefined || byte === COMMA || isEnd || BLANKS.has(byte))) {
        if (this.at === start) throw this.malformed();
        return;
      }
      if (byte === undefined) throw this.malformed();
      this.at += 1;
      if (isEnd) {
        depth -= 1;
        if (depth === 0) return;
      } else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
        if (depth === 0 && this.at !== start + 1) throw this.malformed();
        depth += 1;
        this.count();
        if (depth > this.limits.depth) throw this.exceeded(`be nested more than ${this.limits.depth} deep`);
      } else if (byte === COMMA) {
        this.count();
      }
    }
  }

  private skipString(): void {
    const { bytes } = this;
    let at = this.at + 1;
    for (; at < bytes.length; at += 1) {
      const byte = bytes[at];
      if (byte === QUOTE) break;
      if (byte === BACKSLASH) at += 1;
    }
    if (at >= bytes.length) throw this.malformed();
    this.at = at + 1;
  }

  private skipBlanks(): void {
    while (BLANKS.has(this.bytes[this.at])) this.at += 1;
  }

  private end(): void {
    this.skipBlanks();
    if (this.at < this.bytes.length) throw this.malformed();
  }

  private take(byte: number): boolean {
    if (this.bytes[this.at] !== byte) return false;
    this.at += 1;
    return true;
  }

  private count(): void {
    this.values += 1;
    if (this.values > this.limits.values) {
      throw this.exceeded(`hold more than ${this.limits.values} values: send smaller batches`);
    }
  }

  private malformed(): ProblemError {
    return new ProblemError('malformed-json', `The body is not JSON: it can't be read from byte ${this.at} on.`);
  }

  private exceeded(limit: string): ProblemError {
    const detail = `must not ${limit}`;
    return new ProblemError('invalid-body', `The body ${detail} (it does at byte ${this.at}).`, {
      errors: [{ pointer: '', detail }],
    });
  }
}

function unescaped(written: Buffer): string | null {
  try {
    return JSON.parse(`"${written.toString()}"`) as string;
  } catch {
    return null;
  }
}
