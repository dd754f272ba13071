import type { KafkaReport } from './kafka/kafka-inspection.js';

/** Monitoring of the queue between the services. */
export abstract class PipelineQueue {
  /** Null if there's no queue. */
  abstract status(): { fault: string | null } | null;

  /** Whether a group has handled everything published on a topic before a time. @throws if the queue doesn't respond. */
  abstract hasHandled(topic: string, group: string, before: number): Promise<boolean>;

  /** Null if there's no queue. Takes seconds. @throws if the queue doesn't respond. */
  abstract inspect(): Promise<KafkaReport | null>;
}

/** The queue of services that are joined in one process. */
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
