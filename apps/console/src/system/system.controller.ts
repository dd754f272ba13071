import { Body, Controller, Get, Put, Req } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { AgentsApi } from '#libs/catalog';
import { RetentionChangeSchema, validator, type Pipeline, type Retention, type System } from '#libs/contracts';
import type { FastifyRequest } from 'fastify';
import { requireAdmin } from '../access/principal.js';
import { checked } from '../checked.js';
import { PipelineService } from './pipeline.service.js';
import { ProcessesRepository } from './processes.repository.js';
import { QueueService } from './queue.service.js';
import { RulesHealthService } from './rules-health.service.js';
import { SystemRepository } from './system.repository.js';

const retentionChange = validator(RetentionChangeSchema);

/** How the instance is. */
@Controller('api')
export class SystemController {
  constructor(
    private readonly stored: SystemRepository,
    private readonly processes: ProcessesRepository,
    private readonly queue: QueueService,
    private readonly rules: RulesHealthService,
    private readonly agents: AgentsApi,
    private readonly pipeline: PipelineService,
  ) {}

  @Get('system')
  @RouteConfig({ access: 'console' })
  async show(@Req() { principal }: FastifyRequest): Promise<System> {
    requireAdmin(principal);
    const [processes, rules, queue, { catalog, ...stored }, retention, version] = await Promise.all([
      this.processes.list(),
      this.rules.read(),
      this.queue.read(),
      this.stored.read(),
      this.stored.retention(),
      this.catalogVersion(),
    ]);
    return { processes, rules, queue, ...stored, catalog: { version, ...catalog }, retention };
  }

  @Put('system/retention')
  @RouteConfig({ access: 'console' })
  async changeRetention(@Req() { principal }: FastifyRequest, @Body() body: unknown): Promise<Retention> {
    requireAdmin(principal);
    await this.stored.setRetention(checked(retentionChange, body).days);
    return this.stored.retention();
  }

  @Get('pipeline')
  @RouteConfig({ access: 'console' })
  async showPipeline(): Promise<Pipeline> {
    return this.pipeline.read();
  }

  /** Null while it does not answer: the page is there to show that. */
  private async catalogVersion(): Promise<string | null> {
    return this.agents.list({ limit: 1 }).then(
      ({ catalog_version: version }) => version,
      () => null,
    );
  }
}
