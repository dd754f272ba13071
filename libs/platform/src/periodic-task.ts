/** Runs work repeatedly, with a pause after each round, until it is stopped. */
export class PeriodicTask {
  private timer: NodeJS.Timeout | undefined;
  private underWay: Promise<void> = Promise.resolve();
  private hasStopped = false;

  /**
   * @param pause Milliseconds between rounds.
   * @param onError Called when a round fails. The next round runs anyway.
   */
  constructor(
    private readonly work: () => Promise<void>,
    private readonly pause: number,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** Long rounds check this to end early. */
  get isStopped(): boolean {
    return this.hasStopped;
  }

  /** @param delayMs Milliseconds before the first round. */
  start(delayMs = 0): void {
    if (delayMs > 0) {
      this.timer = setTimeout(() => this.start(), delayMs).unref();
      return;
    }
    this.underWay = this.work()
      .catch(this.onError)
      .finally(() => {
        if (!this.hasStopped) this.timer = setTimeout(() => this.start(), this.pause).unref();
      });
  }

  /** Resolves when the current round has ended. */
  async stop(): Promise<void> {
    this.hasStopped = true;
    clearTimeout(this.timer);
    await this.underWay;
  }
}
