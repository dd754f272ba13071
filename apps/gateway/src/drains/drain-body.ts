import { constants, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import { LineSplitter } from '#libs/access-log';
import { DRAIN_LIMITS, jsonLimits } from '#libs/contracts';
import { parseJson, ProblemError } from '#libs/platform';

/** One of many in a body: a line of text, one character a byte, or what a JSON document holds. */
export type DrainItem = string | object;

export interface DrainForm {
  isDocument: boolean;
  decode: ((bytes: Buffer) => object) | null;
  encoding: string;
}

const JSON_LIMITS = jsonLimits(DRAIN_LIMITS.documentBytes);
const LF = 0x0a;
/** 8 MiB, the most that HTTP allows (RFC 9659); a sender may ask for 16 times that, which is kept for as long as it is read. */
const ZSTD_OPTIONS = { params: { [constants.ZSTD_d_windowLogMax]: 23 } };
/** Bytes that are decoded at a time. */
const PIECE_BYTES = 64 * 1024;
/** Of zstd: each costs a decoder, and may hold nothing. */
const MAX_FRAMES = 1_000;

/**
 * Yields what a body holds, some at a time, so that a large one takes little memory: its lines, or the one JSON document
 * that it is. gzip, zlib and zstd are told by their first bytes, as senders don't always say what they send.
 *
 * @param isDocument whether it can't be lines, whatever it looks like.
 * @param decode reads a document that isn't JSON.
 * @param encoding the Content-Encoding, for what can't be told by its bytes.
 * @throws ProblemError 400 for what can't be decoded, 413 and 422 beyond {@link DRAIN_LIMITS}.
 */
export async function* drainItems(
  body: Buffer,
  { isDocument, decode, encoding }: DrainForm,
): AsyncGenerator<DrainItem[]> {
  const beginning = new Beginning(decoded(body, encoding));
  try {
    await beginning.readWhile(({ size, last }) => size <= DRAIN_LIMITS.lineBytes && last?.includes(LF) !== true);
    const kind = isDocument ? 'document' : kindOf(beginning.bytes);
    if (kind !== 'lines') {
      await beginning.readWhile(({ size }) => size <= DRAIN_LIMITS.documentBytes);
      const isTooLarge = beginning.size > DRAIN_LIMITS.documentBytes;
      if (isTooLarge && kind !== 'object') throw tooLarge('The JSON document', DRAIN_LIMITS.documentBytes);
      if (decode !== null) return yield [decode(beginning.bytes)];
      const document = isTooLarge ? null : documentOf(beginning.bytes, kind);
      if (document !== null) return yield document;
    }
    const splitter = new LineSplitter((bytes) => (bytes as Buffer).toString('latin1'));
    for await (const piece of beginning.all()) yield splitter.push(piece);
    yield [splitter.end() ?? ''];
  } finally {
    await beginning.end();
  }
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
 * What a body is by its beginning. An `object` continues behind its first line, unless that is a line which is cut or too long:
 * then the others have to be read nonetheless.
 */
type BodyKind = 'document' | 'array' | 'object' | 'lines';

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

/** @returns null for what isn't JSON after all. @throws ProblemError 400 or 422 if it can't be anything else. */
function documentOf(bytes: Buffer, kind: BodyKind): object[] | null {
  try {
    const value = parseJson(bytes.toString('utf8'), JSON_LIMITS);
    return [value]
      .flat()
      .map((item: unknown) => (typeof item === 'object' && item !== null ? item : textOf(item))) as object[];
  } catch (error) {
    const mayBeLines = kind === 'object' || (kind === 'array' && (error as ProblemError).type === 'malformed-json');
    if (mayBeLines) return null;
    throw error;
  }
}

const textOf = (item: unknown): string => Buffer.from(String(item)).toString('latin1');

async function* decoded(body: Buffer, encoding: string): AsyncGenerator<Buffer> {
  let bytes = 0;
  let rest = body;
  for (let frames = 1; rest.length > 0; frames += 1) {
    const decoder = decoderOf(rest, encoding);
    if (decoder === null && frames === 1) return yield* inPieces(rest);
    if (decoder === null) throw damaged();
    if (frames > MAX_FRAMES) throw new ProblemError('too-large', `The body has more than ${MAX_FRAMES} zstd frames.`);
    try {
      decoder.end(rest);
      for await (const piece of decoder as AsyncIterable<Buffer>) {
        bytes += piece.length;
        if (bytes > DRAIN_LIMITS.decodedBytes) throw tooLarge('The decoded body', DRAIN_LIMITS.decodedBytes);
        yield piece;
      }
    } catch (error) {
      throw error instanceof ProblemError ? error : damaged(error);
    }
    // Node.js reads all members of gzip, but ends behind the first frame of zstd.
    if (!isZstd(rest)) return;
    rest = rest.subarray(decoder.bytesWritten);
  }
}

function* inPieces(body: Buffer): Generator<Buffer> {
  for (let at = 0; at < body.length; at += PIECE_BYTES) yield body.subarray(at, at + PIECE_BYTES);
}

const damaged = (cause?: unknown): ProblemError =>
  new ProblemError('malformed-request', 'The body ends early, or is damaged: it cannot be decompressed.', { cause });

const isZstd = (body: Buffer): boolean => body.length >= 4 && body.readUInt32LE(0) === 0xfd2fb528;

function decoderOf(body: Buffer, encoding: string) {
  const options = { chunkSize: PIECE_BYTES };
  if (body[0] === 0x1f && body[1] === 0x8b) return createGunzip(options);
  if (isZstd(body)) return createZstdDecompress({ ...options, ...ZSTD_OPTIONS });
  // RFC 1950 section 2.2, with the window that all encoders use: a smaller one could be the digits of an address.
  if (body[0] === 0x78 && [0x01, 0x5e, 0x9c, 0xda].includes(body[1]!)) return createInflate(options);
  if (/^(?:|identity|gzip|x-gzip|deflate|zstd)$/i.test(encoding.trim())) return null;
  throw new ProblemError(
    'unsupported-media-type',
    `Send the body with Content-Encoding gzip, deflate or zstd, or without one (got "${encoding}").`,
    { headers: { 'accept-encoding': 'gzip, deflate, zstd' } },
  );
}

const tooLarge = (what: string, bytes: number): ProblemError =>
  new ProblemError('too-large', `${what} is larger than ${bytes} bytes. Let the sender send smaller batches.`);
