/** Bytes of bodies that are begun with in one turn of the event loop; one request always is. */
const MAX_BYTES_PER_TURN = 32 * 1024;

/**
 * Begins with requests in the order in which they came, a few in each turn of the event loop. Node accepts one connection
 * a turn: were all that wait handled in the same turn, new clients would wait for seconds, and nothing would know of them.
 */
export class RequestQueue {
  private readonly waiting: { bytes: number; begin: () => void }[] = [];
  /** Bytes that were begun with in this turn. */
  private begun = 0;

  push(bytes: number, begin: () => void): void {
    this.waiting.push({ bytes, begin });
    this.work();
  }

  private work(): void {
    while (this.waiting.length > 0) {
      if (this.begun > 0 && this.begun + this.waiting[0]!.bytes > MAX_BYTES_PER_TURN) return;
      const { bytes, begin } = this.waiting.shift()!;
      if (this.begun === 0) setImmediate(() => this.nextTurn());
      this.begun += bytes;
      begin();
    }
  }

  private nextTurn(): void {
    this.begun = 0;
    this.work();
  }
}
