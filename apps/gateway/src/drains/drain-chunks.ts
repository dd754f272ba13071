import { createHash } from 'node:crypto';
import { DRAIN_LIMITS } from '#libs/contracts';
import { ProblemError } from '#libs/platform';
import type { DrainItem } from './drain-body.js';

const CHUNK_ITEMS = 1_000;
const CHUNK_CHARACTERS = 1024 * 1024;

/**
 * Maximum number of blank lines in a body. Without it, a small body could decompress to 100 million of them, which
 * would take seconds to read.
 */
const MAX_BLANK_LINES = 1_000_000;

/** Group of items that are stored together. The same body always produces the same chunks. */
export class Chunk {
  private cachedDigest: string | null = null;

  constructor(
    readonly items: readonly DrainItem[],
    /** Approximate size in bytes. */
    readonly bytes: number,
  ) {}

  /** Hex-encoded SHA-256 hash of all items. */
  get digest(): string {
    if (this.cachedDigest !== null) return this.cachedDigest;
    const hash = createHash('sha256');
    for (const item of this.items) hash.update(typeof item === 'string' ? item : item.bytes).update('\n');
    return (this.cachedDigest = hash.digest('hex'));
  }
}

/**
 * Groups items into chunks and drops blank lines.
 *
 * @throws {ProblemError} 413 if the body contains too many lines or too many blank lines.
 */
export async function* toChunks(batches: AsyncIterable<DrainItem[]>): AsyncGenerator<Chunk> {
  let items: DrainItem[] = [];
  let size = 0;
  let lines = 0;
  let blanks = 0;
  for await (const batch of batches) {
    for (const item of batch) {
      const isBlank = typeof item === 'string' && item.trim() === '';
      if (isBlank ? ++blanks > MAX_BLANK_LINES : ++lines > DRAIN_LIMITS.lines) throw tooManyLines();
      if (isBlank) continue;
      items.push(item);
      size += item.length;
      if (items.length < CHUNK_ITEMS && size < CHUNK_CHARACTERS) continue;
      yield new Chunk(items, size);
      items = [];
      size = 0;
    }
  }
  if (items.length > 0) yield new Chunk(items, size);
}

const tooManyLines = (): ProblemError =>
  new ProblemError('too-large', `The body contains more than ${DRAIN_LIMITS.lines} lines. Send smaller batches.`);
