/** Deterministic random numbers (mulberry32). Not suitable for cryptography. */
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
  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }

  /** Picks an item, favoring earlier ones. */
  pickEarly<T>(items: readonly T[]): T {
    return items[Math.floor(this.next() ** 2 * items.length)]!;
  }

  /** Returns a random number of events around `mean`. Above 4, it is higher than `mean` on average. */
  count(mean: number): number {
    return Math.floor(mean) + Number(this.chance(mean % 1)) + (mean > 4 ? this.below(Math.sqrt(mean) + 1) : 0);
  }

  bytes(length: number): Buffer {
    return Buffer.from(Array.from({ length }, () => this.below(256)));
  }
}
