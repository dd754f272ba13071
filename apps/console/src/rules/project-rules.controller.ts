import { Controller } from '@nestjs/common';
import { RulesApi, type RenderedRules } from '#libs/catalog';
import {
  ADDRESS_LIST_FORMATS,
  getRulesVersion,
  listRulesVersions,
  renderRules,
  saveRulesVersion,
  tryRules,
  ROBOTS_TXT_FORMATS,
  type ProjectRules,
  type RulesRendering,
  type RulesTrial,
  type RulesVersion,
  type RulesVersionList,
} from '#libs/contracts';
import { Handle, notFound, requireMatchingVersion, unavailable, type RequestOf } from '#libs/platform';
import { AccessChanges } from '../access/access-changes.service.js';
import { ProjectsRepository } from '../projects/projects.repository.js';
import { ProjectRulesRepository } from './project-rules.repository.js';
import { RulesTrialService } from './rules-trial.service.js';

@Controller()
export class ProjectRulesController {
  constructor(
    private readonly rules: RulesApi,
    private readonly projects: ProjectsRepository,
    private readonly versions: ProjectRulesRepository,
    private readonly trials: RulesTrialService,
    private readonly changes: AccessChanges,
  ) {}

  @Handle(renderRules)
  async preview({ params, body }: RequestOf<typeof renderRules>): Promise<ProjectRules> {
    await this.projects.require(params.id);
    return this.render(body);
  }

  @Handle(tryRules)
  async trial({ params, body }: RequestOf<typeof tryRules>): Promise<RulesTrial> {
    const { id } = await this.projects.require(params.id);
    return this.trials.run(id, body);
  }

  @Handle(listRulesVersions)
  async list({ params }: RequestOf<typeof listRulesVersions>): Promise<RulesVersionList> {
    const { id } = await this.projects.require(params.id);
    return this.versions.list(id);
  }

  @Handle(saveRulesVersion)
  async save({
    params: { id: projectId },
    principal,
    body,
  }: RequestOf<typeof saveRulesVersion>): Promise<RulesVersion> {
    const rendered = await this.render(body);
    const saved = await this.versions.save(
      projectId,
      { selection: body, ...rendered },
      principal.makerId,
      requireMatchingVersion,
    );
    if (saved === null) throw notFound('project');
    this.changes.announce();
    return saved;
  }

  @Handle(getRulesVersion)
  async find({ params }: RequestOf<typeof getRulesVersion>): Promise<RulesVersion> {
    const { id } = await this.projects.require(params.id);
    const version = await this.versions.find(id, params.versionId);
    if (version === null) throw notFound('version');
    return version;
  }

  private async render({
    format,
    disallow,
    content_signal,
    content_usage,
    license,
    ...agents
  }: RulesRendering): Promise<ProjectRules> {
    const addressListFormat = ADDRESS_LIST_FORMATS.find((one) => one === format);
    if (addressListFormat !== undefined) {
      const list = await this.rules.addressList({ ...agents, format: addressListFormat });
      return toProjectRules(list);
    }
    const robotsTxtFormat = ROBOTS_TXT_FORMATS.find((one) => one === format);
    const { content, catalogVersion } = await (robotsTxtFormat === undefined
      ? this.rules.userAgentTokenList({ ...agents, format: format as never })
      : this.rules.robotsTxt({
          ...agents,
          ...(disallow !== undefined && { disallow }),
          ...(content_signal && { content_signal }),
          ...(content_usage && { content_usage }),
          ...(license !== undefined && { license }),
          format: robotsTxtFormat,
        }));
    return toProjectRules({ content, catalogVersion });
  }
}

function toProjectRules({ content, catalogVersion }: Pick<RenderedRules, 'content' | 'catalogVersion'>): ProjectRules {
  if (catalogVersion === null)
    throw unavailable('The rules service runs an older version. Upgrade it, then try again.');
  return { text: content.toString(), catalog_version: catalogVersion };
}
