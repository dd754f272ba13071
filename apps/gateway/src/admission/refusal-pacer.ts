/** Tokens that each admitted request adds. With 6, all refusals are immediate up to seven times the capacity. */
const TOKENS_PER_ADMISSION = 6;
/** Bucket size. Lasts one or two seconds when nothing is admitted. */
const MAX_TOKENS = 3_000;
/** Maximum wait of a refusal. A request admitted after waiting can still be answered within 2 s. */
const MAX_WAIT_MS = 1_000;
const INTERVAL_MS = 20;

/**
 * Token bucket for refusals, filled by admitted requests. While it has tokens, refusals are immediate. The rest wait up
 * to a second. Otherwise, clients that resend in a loop would use up the CPU time needed to store visits.
 */
export class RefusalPacer {
  private readonly waiting: { answer: () => void; since: number }[] = [];
  private tokens = MAX_TOKENS;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly now: () => number = () => performance.now()) {}

  admitted(): void {
    this.tokens = Math.min(MAX_TOKENS, this.tokens + TOKENS_PER_ADMISSION);
  }

  push(answer: () => void): void {
    if (this.tokens > 0 && this.waiting.length === 0) {
      this.tokens -= 1;
      answer();
      return;
    }
    this.waiting.push({ answer, since: this.now() });
    this.timer ??= setInterval(() => this.release(), INTERVAL_MS);
  }

  private release(): void {
    const oldest = this.now() - MAX_WAIT_MS;
    const young = this.waiting.findIndex(({ since }) => since > oldest);
    const expired = young === -1 ? this.waiting.length : young;
    const released = this.waiting.splice(0, Math.max(expired, this.tokens));
    this.tokens = Math.max(0, this.tokens - released.length);
    for (const { answer } of released) answer();
    if (this.waiting.length > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }
}
