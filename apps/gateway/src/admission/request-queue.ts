/** Maximum total body size of the requests started in one event-loop tick. At least one is started. */
const MAX_BYTES_PER_TURN = 32 * 1024;

/**
 * Starts requests in order, a few per event-loop tick. Node.js accepts one connection per tick, so longer ticks would
 * keep new clients waiting.
 */
export class RequestQueue {
  private readonly waiting: { bytes: number; begin: () => void }[] = [];
  /** Body bytes of the requests started in this tick. */
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
