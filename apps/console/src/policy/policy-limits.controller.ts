import { Controller } from '@nestjs/common';
import { RulesApi } from '#libs/catalog';
import { renderPolicyLimits, type PolicyLimits } from '#libs/contracts';
import { Handle, type RequestOf } from '#libs/platform';
import { ProjectsRepository } from '../projects/projects.repository.js';
import { PolicyVersionsRepository } from './policy-versions.repository.js';

@Controller()
export class PolicyLimitsController {
  constructor(
    private readonly projects: ProjectsRepository,
    private readonly versions: PolicyVersionsRepository,
    private readonly rules: RulesApi,
  ) {}

  @Handle(renderPolicyLimits)
  async render({ params, query }: RequestOf<typeof renderPolicyLimits>): Promise<PolicyLimits> {
    const { id } = await this.projects.require(params.id);
    const { rules } = await this.versions.findCurrent(id);
    const { content } = await this.rules.policyLimits({ rules, server: query.server });
    return JSON.parse(content.toString()) as PolicyLimits;
  }
}
