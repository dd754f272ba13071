/**
 * Number of rejections that can be sent without a delay for each admitted request. With 6, rejections are only delayed
 * if clients send more than seven times as many requests as the gateway can handle.
 */
const TOKENS_PER_ADMISSION = 6;
/**
 * Maximum number of rejections that can be sent without a delay if no requests are admitted. This is enough for one or
 * two seconds.
 */
const MAX_TOKENS = 3_000;
/**
 * Maximum time by which a rejection is delayed. A request that is admitted after this delay can still be completed
 * within 2 s.
 */
const MAX_WAIT_MS = 1_000;
const INTERVAL_MS = 20;

/**
 * Token bucket for rejections, refilled by admitted requests. When it's empty, rejections are delayed by up to a second.
 * Without the delay, clients that resend in a tight loop would use up the CPU time needed to store visits.
 */
export class RejectionPacer {
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
    const firstRecent = this.waiting.findIndex(({ since }) => since > oldest);
    const expired = firstRecent === -1 ? this.waiting.length : firstRecent;
    const released = this.waiting.splice(0, Math.max(expired, this.tokens));
    this.tokens = Math.max(0, this.tokens - released.length);
    for (const { answer } of released) answer();
    if (this.waiting.length > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }
}
