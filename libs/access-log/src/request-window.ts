import pLimit from 'p-limit';

/**
 * Limits the number of in-flight requests with additive increase and multiplicative decrease (RFC 5681, section 3.1).
 *
 * A rejection due to load halves the limit. A full window of successful responses increases it by one. Other errors
 * don't change it.
 */
export class RequestWindow {
  private readonly limit;
  /** Current limit, at least 1. The fractional part is the progress toward the next increase. */
  private size: number;
  private reductions = 0;

  constructor(
    private readonly max: number,
    private readonly isRefusalForLoad: (error: unknown) => boolean,
  ) {
    this.size = max;
    this.limit = pLimit(max);
  }

  /** Starts the request as soon as the limit allows it. */
  run<T>(request: () => Promise<T>): Promise<T> {
    return this.limit(async () => {
      const reductionsBefore = this.reductions;
      try {
        const response = await request();
        this.resize(this.size + 1 / this.size);
        return response;
      } catch (error) {
        // Concurrent requests tend to be rejected together, so only the first rejection counts.
        if (this.isRefusalForLoad(error) && this.reductions === reductionsBefore) {
          this.reductions += 1;
          this.resize(this.size / 2);
        }
        throw error;
      }
    });
  }

  private resize(size: number): void {
    this.size = Math.min(this.max, Math.max(1, size));
    this.limit.concurrency = Math.floor(this.size);
  }
}
