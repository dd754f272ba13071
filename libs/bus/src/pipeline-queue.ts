import type { KafkaReport } from './kafka/kafka-inspection.js';

/** Monitors the queue between services. */
export abstract class PipelineQueue {
  /** Returns the queue's status, or null if there is no queue. */
  abstract getStatus(): { fault: string | null } | null;

  /**
   * Returns true if a group has handled everything that was published to a topic before a time in milliseconds since
   * the epoch.
   *
   * @throws {Error} if the queue doesn't respond.
   */
  abstract hasHandled(topic: string, group: string, timestampMs: number): Promise<boolean>;

  /**
   * Returns a detailed report, or null if there is no queue. This takes several seconds.
   *
   * @throws {Error} if the queue doesn't respond.
   */
  abstract inspect(): Promise<KafkaReport | null>;
}

/** Stands in for the queue when all services run in one process and pass visits on directly. */
export class InProcessQueue extends PipelineQueue {
  override getStatus(): null {
    return null;
  }

  override hasHandled(): Promise<boolean> {
    return Promise.resolve(true);
  }

  override inspect(): Promise<null> {
    return Promise.resolve(null);
  }
}
