import { LineSplitter } from '#libs/access-log';
import { DRAIN_LIMITS, jsonLimits } from '#libs/contracts';
import {
  compressionOf,
  DamagedError,
  DecodedBudget,
  decompressed,
  inPieces,
  ProblemError,
  WorkSlices,
} from '#libs/platform';
import { JsonDocument, type JsonPath } from './json-document.js';
import type { OtlpRecord } from './otlp-record.js';

/** Item of a body: an OTLP log record, or a line or JSON value as text with one character per byte. */
export type DrainItem = string | OtlpRecord;

/** Reads the items of a document. Charges its decompressed parts to the budget of the request. */
export type DocumentReader = (bytes: Buffer, budget: DecodedBudget) => AsyncIterable<DrainItem[]>;

export interface DrainForm {
  /** Reader for sources whose bodies are always documents. Null if bodies may also be lines. */
  readDocument: DocumentReader | null;
  /** Content-Encoding, checked if the bytes show no supported compression. */
  encoding: string;
}

/** Limits of a document. They also apply to parts that are skipped. */
export const DOCUMENT_LIMITS = jsonLimits(DRAIN_LIMITS.documentBytes);
const [LF, QUOTE] = [0x0a, 0x22];
const BATCH_ITEMS = 256;

/**
 * Yields the items of a body in batches, to limit memory use. Items are lines, elements of a JSON array, or parts of a
 * document. gzip, zlib and zstd are detected by their first bytes, because senders don't always declare them. Items
 * over the maximum line length are cut: they will be rejected.
 *
 * @throws ProblemError 400 if the body can't be decoded, 413 or 422 if it exceeds {@link DRAIN_LIMITS}, 415 if the
 * encoding isn't supported.
 */
export async function* drainItems(body: Buffer, { readDocument, encoding }: DrainForm): AsyncGenerator<DrainItem[]> {
  const budget = new DecodedBudget(DRAIN_LIMITS.decodedBytes);
  const beginning = new Beginning(decoded(body, encoding, budget));
  try {
    await beginning.readWhile(({ size, last }) => size <= DRAIN_LIMITS.lineBytes && last?.includes(LF) !== true);
    const kind = readDocument === null ? kindOf(beginning.bytes) : 'document';
    if (kind !== 'lines') {
      await beginning.readWhile(({ size }) => size <= DRAIN_LIMITS.documentBytes);
      const isTooLarge = beginning.size > DRAIN_LIMITS.documentBytes;
      if (isTooLarge && kind !== 'object') throw documentTooLarge();
      const { bytes } = beginning;
      if (readDocument !== null) return yield* readDocument(bytes, budget);
      if (!isTooLarge && isDocument(bytes, kind)) {
        const parts = new JsonDocument(bytes, DOCUMENT_LIMITS).parts(PATHS[kind]);
        return yield* inBatches(parts, elementOf);
      }
    }
    yield* linesOf(beginning.all());
  } finally {
    await beginning.end();
  }
}

/** Yields the lines of a text, one batch per piece. An empty text is one blank line: blank lines are limited, too. */
export async function* linesOf(pieces: AsyncIterable<Buffer> | Iterable<Buffer>): AsyncGenerator<string[]> {
  const splitter = new LineSplitter((bytes) => (bytes as Buffer).toString('latin1'));
  for await (const piece of pieces) yield splitter.push(piece);
  yield [splitter.end() ?? ''];
}

/** Yields the items of a document's parts in batches. Pauses regularly so other requests can run. */
export async function* inBatches(
  parts: Iterable<Buffer>,
  itemOf: (part: Buffer) => DrainItem,
): AsyncGenerator<DrainItem[]> {
  const slices = new WorkSlices();
  let batch: DrainItem[] = [];
  for (const part of parts) {
    batch.push(itemOf(part));
    if (batch.length < BATCH_ITEMS) continue;
    yield batch;
    batch = [];
    if (slices.isOver) await slices.next();
  }
  yield batch;
}

/** Buffers the first pieces of a body until its format is known. */
class Beginning {
  size = 0;
  private pieces: Buffer[] = [];
  private readonly rest: AsyncIterator<Buffer>;
  private isAll = false;

  constructor(pieces: AsyncIterable<Buffer>) {
    this.rest = pieces[Symbol.asyncIterator]();
  }

  get bytes(): Buffer {
    return Buffer.concat(this.pieces);
  }

  get last(): Buffer | undefined {
    return this.pieces.at(-1);
  }

  async readWhile(isWanted: (beginning: Beginning) => boolean): Promise<void> {
    while (isWanted(this) && !this.isAll) {
      const piece = await this.next();
      if (piece === null) continue;
      this.pieces.push(piece);
      this.size += piece.length;
    }
  }

  /** Yields the buffered pieces, then the rest. Empties the buffer. */
  async *all(): AsyncGenerator<Buffer> {
    const kept = this.pieces;
    this.pieces = [];
    yield* kept;
    for (let piece = await this.next(); piece !== null; piece = await this.next()) yield piece;
  }

  async end(): Promise<void> {
    await this.rest.return?.();
  }

  private async next(): Promise<Buffer | null> {
    if (this.isAll) return null;
    const { value, done } = await this.rest.next();
    this.isAll = done === true;
    return this.isAll ? null : (value as Buffer);
  }
}

/**
 * Format of a body, guessed from its beginning. An `object` may turn out to be lines, if the first line is cut or too
 * long.
 */
type BodyKind = 'document' | 'array' | 'object' | 'lines';

const PATHS: Record<Exclude<BodyKind, 'lines'>, JsonPath> = { document: [], array: ['*'], object: [] };

function kindOf(head: Buffer): BodyKind {
  const text = head.toString('utf8').trimStart();
  // A line can start with a time in brackets, such as `[29/Nov/2026`.
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
 * Returns whether the bytes are one JSON value, not lines.
 *
 * @throws ProblemError 422 if an array exceeds the limits.
 */
function isDocument(bytes: Buffer, kind: BodyKind): boolean {
  try {
    return JsonDocument.isOne(bytes, DOCUMENT_LIMITS);
  } catch (error) {
    if (kind === 'object') return false;
    throw error;
  }
}

/** Returns a JSON string as its text, and any other element as JSON. */
function elementOf(part: Buffer): string {
  const text = part.toString('latin1', 0, DRAIN_LIMITS.lineBytes + 1);
  if (part[0] !== QUOTE || part.length > DRAIN_LIMITS.lineBytes) return text;
  try {
    return Buffer.from(JSON.parse(part.toString()) as string).toString('latin1');
  } catch {
    return text;
  }
}

async function* decoded(body: Buffer, encoding: string, budget: DecodedBudget): AsyncGenerator<Buffer> {
  const compression = compressionOf(body);
  if (compression === null) {
    refuseUnknownEncoding(encoding);
    return yield* inPieces(body);
  }
  try {
    yield* decompressed(body, compression, budget);
  } catch (error) {
    if (!(error instanceof DamagedError)) throw error;
    throw new ProblemError('malformed-request', 'The body ends early, or is damaged: it cannot be decompressed.', {
      cause: error,
    });
  }
}

function refuseUnknownEncoding(encoding: string): void {
  if (/^(?:|identity|gzip|x-gzip|deflate|zstd)$/i.test(encoding.trim())) return;
  throw new ProblemError(
    'unsupported-media-type',
    `Send the body with Content-Encoding gzip, deflate or zstd, or without one (got "${encoding}").`,
    { headers: { 'accept-encoding': 'gzip, deflate, zstd' } },
  );
}

const documentTooLarge = (): ProblemError =>
  new ProblemError(
    'too-large',
    `The JSON document is larger than ${DRAIN_LIMITS.documentBytes} bytes. Send smaller batches.`,
  );
