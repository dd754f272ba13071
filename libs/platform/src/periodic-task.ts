export class PeriodicTask {
  private timer: NodeJS.Timeout | undefined;
  private currentRound: Promise<void> = Promise.resolve();
  private hasStopped = false;

  /**
   * @param pauseMs Milliseconds between rounds.
   * @param onError Called when a round fails. The next round runs regardless.
   */
  constructor(
    private readonly work: () => Promise<void>,
    private readonly pauseMs: number,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** True once the task was told to stop. Long rounds should check it and return early. */
  get isStopped(): boolean {
    return this.hasStopped;
  }

  /** @param delayMs Milliseconds before the first round. */
  start(delayMs = 0): void {
    if (delayMs > 0) {
      this.timer = setTimeout(() => this.start(), delayMs).unref();
      return;
    }
    this.currentRound = this.work()
      .catch(this.onError)
      .finally(() => {
        if (!this.hasStopped) this.timer = setTimeout(() => this.start(), this.pauseMs).unref();
      });
  }

  /** Resolves when the current round has finished. */
  async stop(): Promise<void> {
    this.hasStopped = true;
    clearTimeout(this.timer);
    await this.currentRound;
  }
}
