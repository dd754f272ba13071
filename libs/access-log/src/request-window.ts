import pLimit from 'p-limit';

/**
 * Bounds how many requests are under way, by what the instance answers: a refusal for load halves the number, and about as
 * many answers as may be under way raise it by one (additive increase, multiplicative decrease: RFC 5681 section 3.1).
 * Nothing else changes it.
 */
export class RequestWindow {
  private readonly limit;
  /** Requests that may be under way, at least 1; the fraction is what was gained towards the next one. */
  private size: number;
  private reductions = 0;

  constructor(
    private readonly max: number,
    private readonly isRefusalForLoad: (error: unknown) => boolean,
  ) {
    this.size = max;
    this.limit = pLimit(max);
  }

  /** Makes the request as soon as it may be under way. */
  run<T>(request: () => Promise<T>): Promise<T> {
    return this.limit(async () => {
      const reductionsBefore = this.reductions;
      try {
        const answer = await request();
        this.resize(this.size + 1 / this.size);
        return answer;
      } catch (error) {
        // Requests that were under way together are refused together; they count once.
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
