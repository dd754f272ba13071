import type { KafkaReport } from './kafka/kafka-inspection.js';

/** Monitoring of the queue between services. */
export abstract class PipelineQueue {
  /** Returns the status of the queue, or null if there's none. */
  abstract status(): { fault: string | null } | null;

  /**
   * Returns whether a group has handled everything published on a topic before a time in milliseconds since the epoch.
   *
   * @throws if the queue doesn't respond.
   */
  abstract hasHandled(topic: string, group: string, before: number): Promise<boolean>;

  /**
   * Returns a detailed report, or null if there's no queue. Takes seconds.
   *
   * @throws if the queue doesn't respond.
   */
  abstract inspect(): Promise<KafkaReport | null>;
}

/** Used when all services run in one process, without a queue between them. */
export class NoQueue extends PipelineQueue {
  override status(): null {
    return null;
  }

  override hasHandled(): Promise<boolean> {
    return Promise.resolve(true);
  }

  override inspect(): Promise<null> {
    return Promise.resolve(null);
  }
}
