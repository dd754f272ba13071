import type { Bus } from '../bus.js';
import { PipelineQueue } from '../pipeline-queue.js';
import { hasHandled, inspectKafka, type Cluster, type KafkaReport } from './kafka-inspection.js';

export class KafkaQueue extends PipelineQueue {
  constructor(
    private readonly cluster: Cluster,
    private readonly bus: Bus,
  ) {
    super();
  }

  override getStatus(): { fault: string | null } {
    return { fault: this.bus.getFault() };
  }

  override hasHandled(topic: string, group: string, before: number): Promise<boolean> {
    return hasHandled(this.cluster, { topic, group, before });
  }

  override inspect(): Promise<KafkaReport> {
    const { options, logger, clientId } = this.cluster;
    return inspectKafka(options, logger, clientId);
  }
}
