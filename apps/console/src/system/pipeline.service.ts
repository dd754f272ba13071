import { Injectable } from '@nestjs/common';
import { PipelineQueue } from '#libs/bus';
import type { Pipeline } from '#libs/contracts';
import { pipelineOf } from './pipeline.js';
import { ProcessesRepository } from './processes.repository.js';

/** Cache lifetime. Every open page polls the state. */
const CACHE_MS = 3_000;

@Injectable()
export class PipelineService {
  private answer: Promise<Pipeline> | null = null;
  private until = 0;

  constructor(
    private readonly processes: ProcessesRepository,
    private readonly queue: PipelineQueue,
  ) {}

  async read(): Promise<Pipeline> {
    if (this.answer === null || performance.now() > this.until) {
      this.until = performance.now() + CACHE_MS;
      this.answer = this.inspect();
    }
    return this.answer;
  }

  private async inspect(): Promise<Pipeline> {
    const [processes, waiting] = await Promise.all([
      this.processes.list().catch(() => null),
      this.processes.waiting().catch(() => 0),
    ]);
    return pipelineOf({ processes, waiting, queue: this.queue.status() });
  }
}
