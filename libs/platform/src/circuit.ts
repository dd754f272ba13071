/** Milliseconds between two tries while the circuit is open. */
const RETRY_INTERVAL_MS = 1_000;

/**
 * A circuit breaker that never makes anybody wait: while it is open a single caller at a time finds out whether the
 * other side is back, and all others go elsewhere at once. (Those of libraries hold everybody up until the trial ends.)
 */
export class Circuit {
  private tryAt: number | null = null;

  constructor(private readonly now: () => number = () => performance.now()) {}

  get isOpen(): boolean {
    return this.tryAt !== null;
  }

  /** Whether to try. While the circuit is open that is true for one caller a second. */
  admits(): boolean {
    if (this.tryAt === null) return true;
    if (this.now() < this.tryAt) return false;
    this.tryAt = this.now() + RETRY_INTERVAL_MS;
    return true;
  }

  succeeded(): void {
    this.tryAt = null;
  }

  failed(): void {
    this.tryAt = this.now() + RETRY_INTERVAL_MS;
  }
}
