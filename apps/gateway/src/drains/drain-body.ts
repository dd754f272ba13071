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

/** One of many in a body: a line of text or the JSON of an object, one character a byte, or a log record of OTLP. */
export type DrainItem = string | OtlpRecord;

/** Takes items out of a document, whose compressed parts are charged to the budget of the request. */
export type DocumentReader = (bytes: Buffer, budget: DecodedBudget) => AsyncIterable<DrainItem[]>;

export interface DrainForm {
  /** Reads the document that a body of the source always is; null where bodies may also be lines. */
  readDocument: DocumentReader | null;
  /** Content-Encoding, to name it where the bytes show no compression that is supported. */
  encoding: string;
}

/** Limits of a document, whatever part of it is read. */
export const DOCUMENT_LIMITS = jsonLimits(DRAIN_LIMITS.documentBytes);
const [LF, QUOTE] = [0x0a, 0x22];
const BATCH_ITEMS = 256;

/**
 * Yields the items of a body, some at a time, so that a large one takes little memory: its lines, the elements of the JSON
 * array that it is, or what its source wraps in documents. gzip, zlib and zstd are detected by their first bytes, as senders
 * don't always say what they send. An item longer than a line may be is cut: only its length matters then.
 *
 * @throws ProblemError 400 for what can't be decoded, 413 and 422 past {@link DRAIN_LIMITS}.
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

/** Yields the lines of a text, those of each piece at a time. An empty text is one blank line, since blank lines are counted. */
export async function* linesOf(pieces: AsyncIterable<Buffer> | Iterable<Buffer>): AsyncGenerator<string[]> {
  const splitter = new LineSplitter((bytes) => (bytes as Buffer).toString('latin1'));
  for await (const piece of pieces) yield splitter.push(piece);
  yield [splitter.end() ?? ''];
}

/** Yields the items of a document's parts, some at a time. The event loop runs in between. */
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

/** Pieces of a body of which the first are kept. */
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

  /** Keeps more while the condition holds. */
  async readWhile(isWanted: (beginning: Beginning) => boolean): Promise<void> {
    while (isWanted(this) && !this.isAll) {
      const piece = await this.next();
      if (piece === null) continue;
      this.pieces.push(piece);
      this.size += piece.length;
    }
  }

  /** What is kept, which is forgotten, and what follows. */
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
 * What a body is by its beginning. An `object` continues after its first line, unless that is a line which is cut or too long:
 * then the others have to be read nonetheless.
 */
type BodyKind = 'document' | 'array' | 'object' | 'lines';

const PATHS: Record<Exclude<BodyKind, 'lines'>, JsonPath> = { document: [], array: ['*'], object: [] };

function kindOf(head: Buffer): BodyKind {
  const text = head.toString('utf8').trimStart();
  // A digit begins a line's time.
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

/** Whether the bytes are one document and not lines after all. @throws ProblemError 422 for an array past the limits. */
function isDocument(bytes: Buffer, kind: BodyKind): boolean {
  try {
    return JsonDocument.isOne(bytes, DOCUMENT_LIMITS);
  } catch (error) {
    if (kind === 'object') return false;
    throw error;
  }
}

/** A text is an item itself; anything else is read as the line that it could be. */
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
