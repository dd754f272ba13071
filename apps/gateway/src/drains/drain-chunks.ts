import { createHash } from 'node:crypto';
import { DRAIN_LIMITS } from '#libs/contracts';
import { ProblemError } from '#libs/platform';
import type { DrainItem } from './drain-body.js';

const CHUNK_ITEMS = 1_000;
const CHUNK_CHARACTERS = 1024 * 1024;

/** A small body can decompress to 100 million blank lines, which would take seconds to read. */
const MAX_BLANK_LINES = 1_000_000;

/** Items of a body that are stored together. The same bytes always produce the same chunks. */
export class Chunk {
  private key: string | null = null;

  constructor(
    readonly items: readonly DrainItem[],
    /** Approximate size in bytes. */
    readonly bytes: number,
  ) {}

  /** SHA-256 of all items, hex. */
  get digest(): string {
    if (this.key !== null) return this.key;
    const hash = createHash('sha256');
    for (const item of this.items) hash.update(typeof item === 'string' ? item : item.bytes).update('\n');
    return (this.key = hash.digest('hex'));
  }
}

/**
 * Groups items into chunks and drops blank lines.
 *
 * @throws ProblemError 413 if the body has too many lines, or too many blank ones.
 */
export async function* chunksOf(read: AsyncIterable<DrainItem[]>): AsyncGenerator<Chunk> {
  let items: DrainItem[] = [];
  let size = 0;
  let lines = 0;
  let blanks = 0;
  for await (const some of read) {
    for (const item of some) {
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
  new ProblemError('too-large', `The body has more than ${DRAIN_LIMITS.lines} lines. Send smaller batches.`);
