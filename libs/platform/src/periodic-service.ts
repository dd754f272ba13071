import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import type { Logger } from './logger.js';
import { PeriodicTask } from './periodic-task.js';

/** Runs a task repeatedly between startup and shutdown. */
export abstract class PeriodicService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly controller = new AbortController();
  /** Aborted on shutdown. Pass it to asynchronous operations in a round. */
  protected readonly shutdownSignal = this.controller.signal;
  private readonly task: PeriodicTask;

  /**
   * @param pauseMs Milliseconds between rounds.
   * @param failureMessage Log message for failed rounds. The next round runs regardless.
   */
  constructor(
    protected readonly logger: Logger,
    pauseMs: number,
    failureMessage: string,
  ) {
    this.task = new PeriodicTask(
      () => this.runRound(),
      pauseMs,
      (error) => this.logger.warn({ err: error }, failureMessage),
    );
  }

  protected abstract runRound(): Promise<void>;

  /** True once the service is shutting down. Long rounds should check it and return early. */
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
