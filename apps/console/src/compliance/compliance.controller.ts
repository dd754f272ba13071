import { Controller, Inject } from '@nestjs/common';
import { getCompliance, getDisregarded, type Compliance, type Disregarded } from '#libs/contracts';
import { CLOCK, type Clock, Handle, type RequestOf } from '#libs/platform';
import { ProjectsRepository } from '../projects/projects.repository.js';
import { resolveRange } from '../statistics/time-range.js';
import { ComplianceService } from './compliance.service.js';

@Controller()
export class ComplianceController {
  constructor(
    private readonly compliance: ComplianceService,
    private readonly projects: ProjectsRepository,
    @Inject(CLOCK) private readonly now: Clock,
  ) {}

  @Handle(getCompliance)
  async report({ params, query }: RequestOf<typeof getCompliance>): Promise<Compliance> {
    const range = resolveRange(query, this.now());
    const { id } = await this.projects.require(params.id);
    return this.compliance.report(id, range);
  }

  @Handle(getDisregarded)
  async disregarded({ params, query }: RequestOf<typeof getDisregarded>): Promise<Disregarded> {
    const range = resolveRange(query, this.now());
    const { id } = await this.projects.require(params.id);
    return this.compliance.findDisregarded(id, params.agentId, range);
  }
}
