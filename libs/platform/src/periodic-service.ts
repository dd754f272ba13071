import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import type { Logger } from './logger.js';
import { PeriodicTask } from './periodic-task.js';

/** Service that runs a task repeatedly from the start of the process until its end. */
export abstract class PeriodicService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly controller = new AbortController();
  /** Aborted on shutdown. Rounds pass it to operations that wait. */
  protected readonly closing = this.controller.signal;
  private readonly task: PeriodicTask;

  /**
   * @param pauseMs Milliseconds between rounds.
   * @param failure Log message for a failed round. The next round runs anyway.
   */
  constructor(
    protected readonly logger: Logger,
    pauseMs: number,
    failure: string,
  ) {
    this.task = new PeriodicTask(
      () => this.round(),
      pauseMs,
      (error) => this.logger.warn({ err: error }, failure),
    );
  }

  protected abstract round(): Promise<void>;

  /** Long rounds check this to end early. */
  protected get isStopped(): boolean {
    return this.task.isStopped;
  }

  onApplicationBootstrap(): void | Promise<void> {
    this.task.start();
  }

  /** Waits for the current round. */
  async beforeApplicationShutdown(): Promise<void> {
    this.controller.abort();
    await this.task.stop();
  }
}
