/** Deterministic random number generator (mulberry32). Not suitable for cryptography. */
export class SeededRandom {
  private state: number;

  constructor(...seed: readonly number[]) {
    this.state = seed.reduce((state, part) => Math.imul(state ^ part, 0x9e3779b1) ^ (state >>> 15), 0x2545f491);
  }

  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Returns an integer from 0 (inclusive) to `end` (exclusive). */
  nextBelow(end: number): number {
    return Math.floor(this.next() * end);
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.nextBelow(items.length)]!;
  }

  /** Picks a random item, with a preference for earlier ones. */
  pickEarly<T>(items: readonly T[]): T {
    return items[Math.floor(this.next() ** 2 * items.length)]!;
  }

  /** Returns a random number of events close to `mean`, which is also the average result. */
  nextCount(mean: number): number {
    const spread = Math.floor(Math.sqrt(mean) / 2);
    return Math.floor(mean) + Number(this.chance(mean % 1)) + this.nextBelow(2 * spread + 1) - spread;
  }

  nextBytes(length: number): Buffer {
    return Buffer.from(Array.from({ length }, () => this.nextBelow(256)));
  }
}
