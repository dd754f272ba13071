import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { PipelineQueue, type GroupReport, type KafkaReport } from '#libs/bus';
import type { Queue } from '#libs/contracts';
import { errorMessage } from '#libs/platform';
import pTimeout from 'p-timeout';
import { Gauge } from 'prom-client';

const CACHE_MS = 5_000;
const TIMEOUT_MS = 4_000;

const services = new Set<QueueService>();
export const consumerLag = new Gauge({
  name: 'agent_traffic_console_consumer_lag_messages',
  help: 'Unprocessed messages in a topic, even while the group has no consumer',
  labelNames: ['group', 'topic'],
  async collect() {
    const queues = await Promise.all([...services].map((service) => service.listGroups()));
    this.reset();
    for (const { group, lagOfTopics } of queues.flat()) {
      for (const [topic, messages] of Object.entries(lagOfTopics)) this.set({ group, topic }, messages);
    }
  },
});

/** Reports each consumer group's lag. Concurrent requests share one inspection. */
@Injectable()
export class QueueService implements OnModuleInit, OnApplicationShutdown {
  private inspectedAt = -Infinity;
  private inspection: Promise<void> | null = null;
  private lastReport: KafkaReport | null = null;
  private fault: string | null = 'the queue has not been inspected yet';

  constructor(private readonly queue: PipelineQueue) {}

  onModuleInit(): void {
    services.add(this);
  }

  onApplicationShutdown(): void {
    services.delete(this);
  }

  async read(): Promise<Queue | null> {
    await this.refresh();
    const { lastReport: known, fault } = this;
    if (known === null && fault === null) return null;
    const groups = known?.groups ?? [];
    return {
      fault,
      topics: known?.differences ?? [],
      groups: groups.map(({ group, state, members, lag }) => ({ group, state, members, lag })),
    };
  }

  /** Returns the consumer groups, or an empty list if there is no queue or it doesn't respond. */
  async listGroups(): Promise<readonly GroupReport[]> {
    await this.refresh();
    return this.fault === null ? (this.lastReport?.groups ?? []) : [];
  }

  private async refresh(): Promise<void> {
    if (this.inspection === null && performance.now() - this.inspectedAt > CACHE_MS) {
      this.inspection = this.inspect().finally(() => {
        this.inspection = null;
        this.inspectedAt = performance.now();
      });
    }
    if (this.inspection !== null)
      await pTimeout(this.inspection, { milliseconds: TIMEOUT_MS, fallback: () => this.handleTimeout() });
  }

  private handleTimeout(): void {
    this.fault = 'Kafka does not respond';
  }

  private async inspect(): Promise<void> {
    try {
      this.lastReport = await this.queue.inspect();
      this.fault = null;
    } catch (error) {
      this.fault = errorMessage(error);
    }
  }
}
