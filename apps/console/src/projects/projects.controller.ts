import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Req } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { NewProjectSchema, ProjectChangeSchema, validator, type Project } from '#libs/contracts';
import type { FastifyRequest } from 'fastify';
import { AccessChanges } from '../access/access-changes.service.js';
import { notFound, requireAdmin, requireId, requireProject, roleIn, type Principal } from '../access/principal.js';
import { checked } from '../checked.js';
import { ProjectRemovalRepository } from './project-removal.repository.js';
import { checkedSettings } from './project-settings.js';
import { ProjectsRepository, type StoredProject } from './projects.repository.js';

const newProject = validator(NewProjectSchema);
const projectChange = validator(ProjectChangeSchema);

@Controller('api/projects')
export class ProjectsController {
  constructor(
    private readonly projects: ProjectsRepository,
    private readonly removal: ProjectRemovalRepository,
    private readonly changes: AccessChanges,
  ) {}

  @Get()
  @RouteConfig({ access: 'console' })
  async list(@Req() { principal }: FastifyRequest): Promise<{ projects: Project[] }> {
    const projects = await this.projects.list(principal.admin ? null : principal.projectIds);
    return { projects: projects.map((project) => withRole(project, principal)) };
  }

  @Post()
  @RouteConfig({ access: 'console' })
  async create(@Req() { principal }: FastifyRequest, @Body() body: unknown): Promise<Project> {
    requireAdmin(principal);
    const settings = checkedSettings(checked(newProject, body));
    return { ...(await this.projects.create(settings, principal.user?.id ?? null)), role: 'owner' };
  }

  @Get(':id')
  @RouteConfig({ access: 'console' })
  async find(@Req() { principal }: FastifyRequest, @Param('id') id: string): Promise<Project> {
    const project = await this.projects.find(requireProject(principal, id));
    if (project === null) throw notFound('project');
    return withRole(project, principal);
  }

  @Patch(':id')
  @RouteConfig({ access: 'console' })
  async change(@Req() { principal }: FastifyRequest, @Param('id') id: string, @Body() body: unknown): Promise<Project> {
    const projectId = requireProject(principal, id, 'member');
    const project = await this.projects.change(projectId, checkedSettings(checked(projectChange, body)));
    if (project === null) throw notFound('project');
    this.changes.announce();
    return withRole(project, principal);
  }

  /** Its visits are deleted in the background. */
  @Delete(':id')
  @HttpCode(204)
  @RouteConfig({ access: 'console' })
  async remove(@Req() { principal }: FastifyRequest, @Param('id') id: string): Promise<void> {
    requireAdmin(principal);
    const tokens = await this.removal.remove(requireId(id, 'project'));
    if (tokens === null) throw notFound('project');
    for (const hash of tokens) this.changes.announce(hash);
    await this.changes.apply();
  }
}

const withRole = (project: StoredProject, principal: Principal): Project => ({
  ...project,
  role: roleIn(principal, project.id) ?? 'viewer',
});
