import { Injectable } from '@nestjs/common';
import { PipelineQueue } from '#libs/bus';
import type { Pipeline } from '#libs/contracts';
import { describePipeline } from './pipeline.js';
import { ProcessesRepository } from './processes.repository.js';

/** Cache lifetime. Every open page polls the state. */
const CACHE_MS = 3_000;

@Injectable()
export class PipelineService {
  private cachedPipeline: Promise<Pipeline> | null = null;
  private expiresAt = 0;

  constructor(
    private readonly processes: ProcessesRepository,
    private readonly queue: PipelineQueue,
  ) {}

  async read(): Promise<Pipeline> {
    if (this.cachedPipeline === null || performance.now() > this.expiresAt) {
      this.expiresAt = performance.now() + CACHE_MS;
      this.cachedPipeline = this.inspect();
    }
    return this.cachedPipeline;
  }

  private async inspect(): Promise<Pipeline> {
    const [processes, waiting] = await Promise.all([
      this.processes.list().catch(() => null),
      this.processes.countWaitingMessages().catch(() => 0),
    ]);
    return describePipeline({ processes, waiting, queue: this.queue.getStatus() });
  }
}
