/** Refusals that each admitted request pays for: enough for seven times the load. */
const TOKENS_PER_ADMISSION = 6;
/** Refusals in a row: those of one or two seconds in which nothing could be admitted. */
const MAX_TOKENS = 3_000;
/** Milliseconds that a refusal waits for a token, at most: should it be admitted then, its answer comes within 2 s. */
const MAX_WAIT_MS = 1_000;
const INTERVAL_MS = 20;

/**
 * A token bucket that admitted requests fill: refusals are answered immediately while they are few beside those, and the
 * others wait for a second at most. Clients that resend refused requests in a loop would otherwise take the processor
 * time that storing needs.
 */
export class RefusalPacer {
  private readonly waiting: { answer: () => void; since: number }[] = [];
  private tokens = MAX_TOKENS;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly now: () => number = () => performance.now()) {}

  admitted(): void {
    this.tokens = Math.min(MAX_TOKENS, this.tokens + TOKENS_PER_ADMISSION);
  }

  /** Answers a refusal immediately if there is a token for it, otherwise later. */
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
