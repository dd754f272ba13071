/** Work that is done again and again, with a pause after each round, until it is stopped. */
export class PeriodicTask {
  private timer: NodeJS.Timeout | undefined;
  private underWay: Promise<void> = Promise.resolve();
  private hasStopped = false;

  /**
   * @param pause milliseconds.
   * @param onError told of a round that failed; the next one comes all the same.
   */
  constructor(
    private readonly work: () => Promise<void>,
    private readonly pause: number,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** A long round looks at this, to end early. */
  get isStopped(): boolean {
    return this.hasStopped;
  }

  /** Begins with a round. @param delayMs before it. */
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

  /** Settles when the round that is under way has ended. */
  async stop(): Promise<void> {
    this.hasStopped = true;
    clearTimeout(this.timer);
    await this.underWay;
  }
}
