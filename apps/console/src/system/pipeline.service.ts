import { Injectable } from '@nestjs/common';
import { Bus } from '#libs/bus';
import type { Pipeline } from '#libs/contracts';
import { pipelineOf } from './pipeline.js';
import { ProcessesRepository } from './processes.repository.js';

/** Milliseconds for which an answer serves all who ask: every open page does, again and again. */
const FRESH_MS = 3_000;

/** Whether visits get through. */
@Injectable()
export class PipelineService {
  private answer: Promise<Pipeline> | null = null;
  private until = 0;

  constructor(
    private readonly processes: ProcessesRepository,
    private readonly bus: Bus,
  ) {}

  async read(): Promise<Pipeline> {
    if (this.answer === null || Date.now() > this.until) {
      this.until = Date.now() + FRESH_MS;
      this.answer = this.look();
    }
    return this.answer;
  }

  private async look(): Promise<Pipeline> {
    const { hasQueue } = this.bus;
    const [processes, waiting] = await Promise.all([
      this.processes.list().catch(() => null),
      hasQueue ? this.processes.waiting().catch(() => 0) : 0,
    ]);
    return pipelineOf({ processes, waiting, hasQueue, queueFault: this.bus.fault() });
  }
}
