/** Bytes of bodies that are begun with in one turn of the event loop; one request always is. */
const BYTES_PER_TURN = 32 * 1024;

/**
 * Begins with requests in the order in which they came, a few in each turn of the event loop. Node accepts one connection
 * a turn: were all that wait handled in the same turn, new clients would wait for seconds, and nothing would know of them.
 */
export class RequestQueue {
  /** Bytes of those that wait. */
  bytes = 0;
  private readonly waiting: { bytes: number; begin: () => void }[] = [];
  private begun = 0;
  private isScheduled = false;

  run(bytes: number, begin: () => void): void {
    this.schedule();
    if (this.waiting.length === 0 && this.hasTurnFor(bytes)) {
      this.begun += bytes;
      begin();
      return;
    }
    this.bytes += bytes;
    this.waiting.push({ bytes, begin });
  }

  private hasTurnFor(bytes: number): boolean {
    return this.begun === 0 || this.begun + bytes <= BYTES_PER_TURN;
  }

  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    setImmediate(() => this.nextTurn());
  }

  private nextTurn(): void {
    this.isScheduled = false;
    this.begun = 0;
    while (this.waiting.length > 0 && this.hasTurnFor(this.waiting[0]!.bytes)) {
      const { bytes, begin } = this.waiting.shift()!;
      this.bytes -= bytes;
      this.begun += bytes;
      begin();
    }
    if (this.begun > 0) this.schedule();
  }
}
