import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import type { Logger } from './logger.js';
import { PeriodicTask } from './periodic-task.js';

/** A service that works again and again, from the start of the process until its end. */
export abstract class PeriodicService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly controller = new AbortController();
  /** Aborted when the process ends, for what a round waits for. */
  protected readonly closing = this.controller.signal;
  private readonly task: PeriodicTask;

  /**
   * @param pauseMs between rounds.
   * @param failure what the log says of a round that failed; the next one comes all the same.
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

  /** What is done each time. */
  protected abstract round(): Promise<void>;

  /** A long round looks at this, to end early. */
  protected get isStopped(): boolean {
    return this.task.isStopped;
  }

  /** Begins with a round. */
  onApplicationBootstrap(): void | Promise<void> {
    this.task.start();
  }

  /** Waits for the round that is under way. */
  async beforeApplicationShutdown(): Promise<void> {
    this.controller.abort();
    await this.task.stop();
  }
}
