import { LineSplitter } from '#libs/access-log';
import { DRAIN_LIMITS, jsonLimits } from '#libs/contracts';
import {
  detectCompression,
  CorruptDataError,
  DecodedBudget,
  decompressChunks,
  splitIntoChunks,
  ProblemError,
  WorkSlices,
} from '#libs/platform';
import { JsonDocument, type JsonPath } from './json-document.js';
import type { OtlpRecord } from './otlp-record.js';

/** Item in a drain body: an OTLP log record, or a line or JSON value as a Latin-1 string (one character per byte). */
export type DrainItem = string | OtlpRecord;

/**
 * Yields the items in a document. If parts of the document are compressed, counts their decompressed size toward the
 * request's budget.
 */
export type DocumentReader = (bytes: Buffer, budget: DecodedBudget) => AsyncIterable<DrainItem[]>;

export interface DrainFormat {
  /** Reader for sources that always send entire documents. Null for sources that can also send lines. */
  readDocument: DocumentReader | null;
  /** Content-Encoding header. Only checked if the body doesn't start like a supported compression format. */
  encoding: string;
}

/** Limits for a whole document, including the parts that aren't extracted. */
export const DOCUMENT_LIMITS = jsonLimits(DRAIN_LIMITS.documentBytes);
const [LF, QUOTE] = [0x0a, 0x22];
const BATCH_ITEMS = 256;

/**
 * Yields the items in a body in batches to limit memory use. Items are lines, elements of a JSON array, or parts of a
 * document. gzip, zlib and zstd are detected by their first bytes, because some senders don't declare them. Items that
 * exceed the maximum line length are truncated to one byte over the limit, so they get rejected later.
 *
 * @throws {ProblemError} 400 if the body can't be decoded, 413 or 422 if it exceeds {@link DRAIN_LIMITS}, or 415 if the
 * encoding isn't supported.
 */
export async function* drainItems(body: Buffer, { readDocument, encoding }: DrainFormat): AsyncGenerator<DrainItem[]> {
  const budget = new DecodedBudget(DRAIN_LIMITS.decodedBytes);
  const bodyHead = new BodyHead(decode(body, encoding, budget));
  try {
    await bodyHead.readWhile(({ size, last }) => size <= DRAIN_LIMITS.lineBytes && last?.includes(LF) !== true);
    const kind = readDocument === null ? detectKind(bodyHead.bytes) : 'document';
    if (kind !== 'lines') {
      await bodyHead.readWhile(({ size }) => size <= DRAIN_LIMITS.documentBytes);
      const isTooLarge = bodyHead.size > DRAIN_LIMITS.documentBytes;
      if (isTooLarge && kind !== 'object') throw documentTooLarge();
      const { bytes } = bodyHead;
      if (readDocument !== null) return yield* readDocument(bytes, budget);
      if (!isTooLarge && (await isDocument(bytes, kind))) {
        const parts = new JsonDocument(bytes, DOCUMENT_LIMITS).parts(PATHS[kind]);
        return yield* toBatches(parts, elementText);
      }
    }
    yield* splitLines(bodyHead.takeAll());
  } finally {
    await bodyHead.close();
  }
}

/**
 * Yields the lines of a text, one batch per piece. Pauses regularly so other requests can run. Yields one blank line for
 * an empty text. Decompressing many empty texts takes time, so each of them must count toward the limit on blank lines.
 */
export async function* splitLines(pieces: AsyncIterable<Buffer> | Iterable<Buffer>): AsyncGenerator<string[]> {
  const splitter = new LineSplitter((bytes) => (bytes as Buffer).toString('latin1'));
  const slices = new WorkSlices();
  for await (const piece of pieces) {
    if (slices.isSliceOver) await slices.yieldToEventLoop();
    yield splitter.push(piece);
  }
  yield [splitter.end() ?? ''];
}

/**
 * Converts a document's parts to items and yields them in batches. Pauses regularly so other requests can run.
 *
 * @param parts Contains `null` at regular intervals if finding a part takes long.
 */
export async function* toBatches(
  parts: Iterable<Buffer | null>,
  toItem: (part: Buffer) => DrainItem,
): AsyncGenerator<DrainItem[]> {
  const slices = new WorkSlices();
  let batch: DrainItem[] = [];
  for (const part of parts) {
    if (slices.isSliceOver) await slices.yieldToEventLoop();
    if (part === null) continue;
    batch.push(toItem(part));
    if (batch.length < BATCH_ITEMS) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}

/** Buffers the start of a body until its format is known. */
class BodyHead {
  size = 0;
  private pieces: Buffer[] = [];
  private readonly rest: AsyncIterator<Buffer>;
  private isComplete = false;

  constructor(pieces: AsyncIterable<Buffer>) {
    this.rest = pieces[Symbol.asyncIterator]();
  }

  get bytes(): Buffer {
    return Buffer.concat(this.pieces);
  }

  get last(): Buffer | undefined {
    return this.pieces.at(-1);
  }

  async readWhile(isWanted: (bodyHead: BodyHead) => boolean): Promise<void> {
    while (isWanted(this) && !this.isComplete) {
      const piece = await this.next();
      if (piece === null) continue;
      this.pieces.push(piece);
      this.size += piece.length;
    }
  }

  /** Yields the buffered pieces, then the rest of the body. Releases the buffer first. */
  async *takeAll(): AsyncGenerator<Buffer> {
    const buffered = this.pieces;
    this.pieces = [];
    yield* buffered;
    for (let piece = await this.next(); piece !== null; piece = await this.next()) yield piece;
  }

  async close(): Promise<void> {
    await this.rest.return?.();
  }

  private async next(): Promise<Buffer | null> {
    if (this.isComplete) return null;
    const { value, done } = await this.rest.next();
    this.isComplete = done === true;
    return this.isComplete ? null : (value as Buffer);
  }
}

/**
 * Body format, guessed from the start of the body. A body that looks like an `object` can turn out to be lines if its
 * first line is truncated or too long.
 */
type BodyKind = 'document' | 'array' | 'object' | 'lines';

const PATHS: Record<Exclude<BodyKind, 'lines'>, JsonPath> = { document: [], array: ['*'], object: [] };

function detectKind(head: Buffer): BodyKind {
  const text = head.toString('utf8').trimStart();
  // A log line can start with a timestamp in brackets, such as `[29/Nov/2026`.
  if (text.startsWith('[')) return /^\[\d/.test(text) ? 'lines' : 'array';
  if (!text.startsWith('{')) return 'lines';
  const [first = ''] = text.split('\n', 1);
  try {
    JSON.parse(first);
    return 'lines';
  } catch {
    return 'object';
  }
}

/**
 * Returns true if the bytes are a single JSON value.
 *
 * @throws {ProblemError} 422 if an array exceeds the limits. An oversized `object` is treated as lines instead.
 */
async function isDocument(bytes: Buffer, kind: BodyKind): Promise<boolean> {
  try {
    return await JsonDocument.isSingleValue(bytes, DOCUMENT_LIMITS);
  } catch (error) {
    if (kind === 'object') return false;
    throw error;
  }
}

/**
 * Returns a string's text, or any other element's JSON source, as a Latin-1 string (one character per byte). Elements
 * over the line limit are truncated to one byte over it, so they get rejected later.
 */
export function elementText(part: Buffer): string {
  const text = part.toString('latin1', 0, DRAIN_LIMITS.lineBytes + 1);
  if (part[0] !== QUOTE || part.length > DRAIN_LIMITS.lineBytes) return text;
  try {
    return Buffer.from(JSON.parse(part.toString()) as string).toString('latin1');
  } catch {
    return text;
  }
}

async function* decode(body: Buffer, encoding: string, budget: DecodedBudget): AsyncGenerator<Buffer> {
  const compression = detectCompression(body);
  if (compression === null) {
    requireSupportedEncoding(encoding);
    return yield* splitIntoChunks(body);
  }
  try {
    yield* decompressChunks(body, compression, budget);
  } catch (error) {
    if (!(error instanceof CorruptDataError)) throw error;
    throw new ProblemError('malformed-request', 'The body is truncated or damaged and cannot be decompressed.', {
      cause: error,
    });
  }
}

function requireSupportedEncoding(encoding: string): void {
  if (/^(?:|identity|gzip|x-gzip|deflate|zstd)$/i.test(encoding.trim())) return;
  throw new ProblemError(
    'unsupported-media-type',
    `Content-Encoding must be gzip, deflate, zstd or omitted (got "${encoding}").`,
    { headers: { 'accept-encoding': 'gzip, deflate, zstd' } },
  );
}

const documentTooLarge = (): ProblemError =>
  new ProblemError(
    'too-large',
    `The JSON document is larger than ${DRAIN_LIMITS.documentBytes} bytes. Send smaller batches.`,
  );
