import type { JsonLimits } from '#libs/contracts';
import { ProblemError, WorkSlices } from '#libs/platform';

/** Path to parts of a JSON document. Each step is a member name, or `*` for all elements of an array. */
export type JsonPath = readonly string[];

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_ARRAY, CLOSE_ARRAY] = [0x5b, 0x5d];
const [OPEN_OBJECT, CLOSE_OBJECT] = [0x7b, 0x7d];
const [TAB, LF, CR, SPACE] = [0x09, 0x0a, 0x0d, 0x20];
/** Maximum length, in source bytes, of a member name that is unescaped to compare it with the path. */
const MAX_NAME_BYTES = 128;
/** Number of bytes to scan before other requests can run. A single string or run of whitespace can be longer. */
const PAUSE_BYTES = 64 * 1024;

/**
 * Locates parts of a JSON document in one linear pass over its bytes. Nothing is parsed, so memory use never exceeds the
 * document size, and each part can be checked against limits first. The parts themselves aren't validated.
 */
export class JsonDocument {
  /**
   * True once an array was found at the position of the path's last `*`. If not, the document doesn't have the expected
   * structure.
   */
  hasArray = false;
  private position = 0;
  private values = 0;
  /** Number of objects entered so far while following the path. */
  private objects = 0;
  /** Position from which on the next pause is due. */
  private pauseAt = PAUSE_BYTES;
  /** Nesting depth within the value that is being skipped. */
  private depth = 0;

  constructor(
    private readonly bytes: Buffer,
    private readonly limits: JsonLimits,
  ) {}

  /**
   * Returns true if the bytes contain a single JSON value. Only checks the structure. Pauses regularly so other requests
   * can run.
   *
   * @throws {ProblemError} 422 if a limit is exceeded.
   */
  static async isSingleValue(bytes: Buffer, limits: JsonLimits): Promise<boolean> {
    const slices = new WorkSlices();
    try {
      for (const _ of new JsonDocument(bytes, limits).parts([])) {
        if (slices.isSliceOver) await slices.yieldToEventLoop();
      }
      return true;
    } catch (error) {
      if ((error as ProblemError).type === 'malformed-json') return false;
      throw error;
    }
  }

  /**
   * Yields the bytes of each part at the path. Also yields `null` at regular intervals, so the caller can let other
   * requests run.
   *
   * @throws {ProblemError} 400 if the document isn't JSON, or 422 if a limit is exceeded.
   */
  *parts(path: JsonPath): Generator<Buffer | null> {
    yield* this.partsAt(path, 0);
    yield null;
    this.skipBlanks();
    if (this.position < this.bytes.length) throw this.malformed();
  }

  private *partsAt(path: JsonPath, level: number): Generator<Buffer | null> {
    this.skipBlanks();
    if (this.isPauseDue()) yield null;
    const name = path[level];
    const first = this.bytes[this.position];
    if (name === undefined) {
      const start = this.position;
      while (!this.skip(start)) yield null;
      yield this.bytes.subarray(start, this.position);
    } else if (name === '*' && first === OPEN_ARRAY) {
      if (level === path.lastIndexOf('*')) this.hasArray = true;
      for (let isMore = this.enter(CLOSE_ARRAY); isMore; isMore = this.advance(CLOSE_ARRAY)) {
        yield* this.partsAt(path, level + 1);
      }
    } else if (name !== '*' && first === OPEN_OBJECT) {
      this.objects += 1;
      if (this.objects > this.limits.members)
        throw this.exceeded(`spread its records over more than ${this.limits.members} objects`);
      let members = 0;
      for (let isMore = this.enter(CLOSE_OBJECT); isMore; isMore = this.advance(CLOSE_OBJECT)) {
        members += 1;
        if (members > this.limits.members) {
          throw this.exceeded(`have more than ${this.limits.members} members in an object`);
        }
        if (this.matchesName(name)) yield* this.partsAt(path, level + 1);
        else for (const start = this.position; !this.skip(start);) yield null;
      }
    } else {
      for (const start = this.position; !this.skip(start);) yield null;
    }
  }

  /** Moves into an array or object. Returns false if it's empty. */
  private enter(close: number): boolean {
    this.position += 1;
    this.count();
    this.skipBlanks();
    return !this.take(close);
  }

  private advance(close: number): boolean {
    this.skipBlanks();
    if (this.take(close)) return false;
    if (!this.take(COMMA)) throw this.malformed();
    this.count();
    this.skipBlanks();
    return true;
  }

  /** Moves past a member name and its colon. Returns true if the unescaped name matches. */
  private matchesName(name: string): boolean {
    const start = this.position;
    if (this.bytes[start] !== QUOTE) throw this.malformed();
    this.skipString();
    const written = this.bytes.subarray(start + 1, this.position - 1);
    this.skipBlanks();
    if (!this.take(COLON)) throw this.malformed();
    this.skipBlanks();
    if (written.length === name.length) return written.toString('latin1') === name;
    return written.length <= MAX_NAME_BYTES && written.includes(BACKSLASH) && unescaped(written) === name;
  }

  /** Skips the value at `start`. Returns false if the caller should pause and then continue. */
  private skip(start: number): boolean {
    const { bytes } = this;
    for (;;) {
      if (this.isPauseDue()) return false;
      const byte = bytes[this.position];
      if (byte === QUOTE) {
        this.skipString();
        if (this.depth === 0) return true;
        continue;
      }
      const isEnd = byte === CLOSE_ARRAY || byte === CLOSE_OBJECT;
      if (this.depth === 0 && (byte === undefined || byte === COMMA || isEnd || isBlank(byte))) {
        if (this.position === start) throw this.malformed();
        return true;
      }
      if (byte === undefined) throw this.malformed();
      this.position += 1;
      if (isEnd) {
        this.depth -= 1;
        if (this.depth === 0) return true;
      } else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
        if (this.depth === 0 && this.position !== start + 1) throw this.malformed();
        this.depth += 1;
        this.count();
        if (this.depth > this.limits.depth) throw this.exceeded(`be nested more than ${this.limits.depth} deep`);
      } else if (byte === COMMA) {
        this.count();
      }
    }
  }

  private skipString(): void {
    const { bytes } = this;
    let at = this.position + 1;
    for (; at < bytes.length; at += 1) {
      const byte = bytes[at];
      if (byte === QUOTE) break;
      if (byte === BACKSLASH) at += 1;
    }
    if (at >= bytes.length) throw this.malformed();
    this.position = at + 1;
  }

  private skipBlanks(): void {
    const { bytes } = this;
    let at = this.position;
    // Without the comparison of lengths, reading past the end makes this loop several times slower.
    while (at < bytes.length && isBlank(bytes[at])) at += 1;
    this.position = at;
  }

  private isPauseDue(): boolean {
    if (this.position < this.pauseAt) return false;
    this.pauseAt = this.position + PAUSE_BYTES;
    return true;
  }

  private take(byte: number): boolean {
    if (this.bytes[this.position] !== byte) return false;
    this.position += 1;
    return true;
  }

  private count(): void {
    this.values += 1;
    if (this.values > this.limits.values) {
      throw this.exceeded(`contain more than ${this.limits.values} values: send smaller batches`);
    }
  }

  private malformed(): ProblemError {
    return new ProblemError('malformed-json', `The body isn't valid JSON: syntax error at byte ${this.position}.`);
  }

  private exceeded(limit: string): ProblemError {
    const detail = `must not ${limit}`;
    return new ProblemError('invalid-body', `The body ${detail} (exceeded at byte ${this.position}).`, {
      errors: [{ pointer: '', detail }],
    });
  }
}

/** Returns true for whitespace (RFC 8259 section 2). Runs for every byte, and comparisons are faster than a Set. */
const isBlank = (byte: number | undefined): boolean => byte === SPACE || byte === LF || byte === CR || byte === TAB;

function unescaped(written: Buffer): string | null {
  try {
    return JSON.parse(`"${written.toString()}"`) as string;
  } catch {
    return null;
  }
}
