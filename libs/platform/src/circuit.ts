/** Milliseconds between trial calls while the circuit is open. */
const RETRY_INTERVAL_MS = 1_000;

/**
 * Circuit breaker that never makes callers wait. While it is open, one caller per second makes a trial call and all
 * others fail fast. (Common libraries make all callers wait for the trial call.)
 */
export class CircuitBreaker {
  private nextTrialAt: number | null = null;

  constructor(private readonly now: () => number = () => performance.now()) {}

  get isOpen(): boolean {
    return this.nextTrialAt !== null;
  }

  /** Returns true if the caller should proceed. While the circuit is open, only one caller per second should. */
  tryAcquire(): boolean {
    if (this.nextTrialAt === null) return true;
    if (this.now() < this.nextTrialAt) return false;
    this.nextTrialAt = this.now() + RETRY_INTERVAL_MS;
    return true;
  }

  recordSuccess(): void {
    this.nextTrialAt = null;
  }

  recordFailure(): void {
    this.nextTrialAt = this.now() + RETRY_INTERVAL_MS;
  }
}
