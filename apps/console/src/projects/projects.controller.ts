import { Controller } from '@nestjs/common';
import { changeProject, createProject, getProject, listProjects, removeProject, type Project } from '#libs/contracts';
import { Handle, requireMatchingVersion, type RequestOf, notFound } from '#libs/platform';
import { AccessChanges } from '../access/access-changes.service.js';
import { getRole, type Principal } from '../access/principal.js';
import { validateSettings } from './project-settings.js';
import { ProjectsRepository, type StoredProject } from './projects.repository.js';

@Controller()
export class ProjectsController {
  constructor(
    private readonly projects: ProjectsRepository,
    private readonly changes: AccessChanges,
  ) {}

  @Handle(listProjects)
  async list({ principal }: RequestOf<typeof listProjects>): Promise<{ projects: Project[] }> {
    const projects = await this.projects.list(principal.admin ? null : principal.projectIds);
    return { projects: projects.map((project) => addRole(project, principal)) };
  }

  @Handle(createProject)
  async create({ principal, body }: RequestOf<typeof createProject>): Promise<Project> {
    const settings = validateSettings(body);
    return { ...(await this.projects.create(settings, principal.makerId)), role: 'owner' };
  }

  @Handle(getProject)
  async find({ params: { id: projectId }, principal }: RequestOf<typeof getProject>): Promise<Project> {
    const project = await this.projects.require(projectId);
    return addRole(project, principal);
  }

  @Handle(changeProject)
  async change({ params: { id: projectId }, principal, body }: RequestOf<typeof changeProject>): Promise<Project> {
    const project = await this.projects.change(projectId, validateSettings(body), (current) =>
      requireMatchingVersion(addRole(current, principal)),
    );
    if (project === null) throw notFound('project');
    this.changes.announce();
    return addRole(project, principal);
  }

  @Handle(removeProject)
  async remove({ params: { id } }: RequestOf<typeof removeProject>): Promise<void> {
    const tokens = await this.projects.remove(id);
    if (tokens === null) throw notFound('project');
    for (const hash of tokens) this.changes.announce(hash);
    await this.changes.apply();
  }
}

const addRole = (project: StoredProject, principal: Principal): Project => ({
  ...project,
  role: getRole(principal, project.id) ?? 'viewer',
});
