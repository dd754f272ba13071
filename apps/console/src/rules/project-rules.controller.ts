import { Controller } from '@nestjs/common';
import { RulesApi } from '#libs/catalog';
import {
  getRulesVersion,
  listRulesVersions,
  renderRules,
  saveRulesVersion,
  ROBOTS_TXT_FORMATS,
  type ProjectRules,
  type RulesSelection,
  type RulesVersion,
  type RulesVersionList,
} from '#libs/contracts';
import { Handle, type RequestOf, notFound } from '#libs/platform';
import type { Principal } from '../access/principal.js';
import { ProjectsRepository } from '../projects/projects.repository.js';
import { ProjectRulesRepository } from './project-rules.repository.js';

/** Rules for robots.txt and servers, and the versions that a project saved. */
@Controller()
export class ProjectRulesController {
  constructor(
    private readonly rules: RulesApi,
    private readonly projects: ProjectsRepository,
    private readonly versions: ProjectRulesRepository,
  ) {}

  @Handle(renderRules)
  async preview({ params, principal, body }: RequestOf<typeof renderRules>): Promise<ProjectRules> {
    await this.project(principal, params.id);
    return this.render(body);
  }

  @Handle(listRulesVersions)
  async list({ params, principal }: RequestOf<typeof listRulesVersions>): Promise<RulesVersionList> {
    return { versions: await this.versions.list(await this.project(principal, params.id)) };
  }

  @Handle(saveRulesVersion)
  async save({
    params: { id: projectId },
    principal,
    body,
  }: RequestOf<typeof saveRulesVersion>): Promise<RulesVersion> {
    const rendered = await this.render(body);
    const saved = await this.versions.save(projectId, body, rendered, principal.user?.id ?? null);
    if (saved === null) throw notFound('project');
    return saved;
  }

  @Handle(getRulesVersion)
  async find({ params, principal }: RequestOf<typeof getRulesVersion>): Promise<RulesVersion> {
    const version = await this.versions.find(await this.project(principal, params.id), params.versionId);
    if (version === null) throw notFound('version');
    return version;
  }

  /** @throws ProblemError 404 */
  private async project(principal: Principal, projectId: string): Promise<string> {
    // An administrator passes the access check with any id, even one without a project.
    if (principal.admin && (await this.projects.find(projectId)) === null) throw notFound('project');
    return projectId;
  }

  private async render({ format, disallow, ...agents }: RulesSelection): Promise<ProjectRules> {
    const robotsTxtFormat = ROBOTS_TXT_FORMATS.find((one) => one === format);
    const { content, catalogVersion } = await (robotsTxtFormat === undefined
      ? this.rules.userAgentTokenList({ ...agents, format: format as never })
      : this.rules.robotsTxt({ ...agents, ...(disallow !== undefined && { disallow }), format: robotsTxtFormat }));
    return { text: content.toString(), catalog_version: catalogVersion };
  }
}
