/** Milliseconds between two attempts while the circuit is open. */
const RETRY_INTERVAL_MS = 1_000;

/**
 * Circuit breaker that never makes callers wait. While it is open, one caller per second tests the other side, and all
 * others fail fast. (Common libraries hold all callers until the test ends.)
 */
export class Circuit {
  private tryAt: number | null = null;

  constructor(private readonly now: () => number = () => performance.now()) {}

  get isOpen(): boolean {
    return this.tryAt !== null;
  }

  /** Returns true if the caller should try. While the circuit is open, that is one caller per second. */
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
