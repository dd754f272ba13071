/** Maximum total body size of the requests started per event-loop tick. At least one request is always started. */
const MAX_BYTES_PER_TICK = 32 * 1024;

/**
 * Starts requests in order, a few per event-loop tick. Node.js accepts only one connection per tick, so new clients
 * would have to wait if ticks took longer.
 */
export class RequestQueue {
  private readonly waiting: { bytes: number; begin: () => void }[] = [];
  /** Total body size of the requests started in this tick. */
  private startedBytes = 0;

  push(bytes: number, begin: () => void): void {
    this.waiting.push({ bytes, begin });
    this.startNext();
  }

  private startNext(): void {
    while (this.waiting.length > 0) {
      if (this.startedBytes > 0 && this.startedBytes + this.waiting[0]!.bytes > MAX_BYTES_PER_TICK) return;
      const { bytes, begin } = this.waiting.shift()!;
      if (this.startedBytes === 0) setImmediate(() => this.nextTick());
      this.startedBytes += bytes;
      begin();
    }
  }

  private nextTick(): void {
    this.startedBytes = 0;
    this.startNext();
  }
}
