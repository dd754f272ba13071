import { Body, Controller, HttpCode, Post, Req } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { IdentificationApi, type SiteSettings } from '#libs/catalog';
import { ExplanationRequestSchema, validator, type Explanation } from '#libs/contracts';
import type { FastifyRequest } from 'fastify';
import { notFound, requireProject, type Principal } from '../access/principal.js';
import { checked } from '../checked.js';
import { ProjectsRepository } from '../projects/projects.repository.js';

const explanationRequest = validator(ExplanationRequestSchema);
const ANY_SITE: SiteSettings = { trustedProxies: {}, hostNames: [] };

/** Identification with its evidence, for whoever wants to understand one. */
@Controller('api/identifications')
export class IdentificationsController {
  constructor(
    private readonly identifications: IdentificationApi,
    private readonly projects: ProjectsRepository,
  ) {}

  @Post()
  @HttpCode(200)
  @RouteConfig({ access: 'console' })
  async explain(@Req() { principal }: FastifyRequest, @Body() body: unknown): Promise<Explanation> {
    const request = checked(explanationRequest, body);
    const item = {
      headers: request.request_headers,
      method: request.request_method ?? null,
      path: request.request_path ?? null,
      peer: request.client_address,
    };
    return this.identifications.explain(item, await this.siteOf(principal, request.project_id));
  }

  private async siteOf(principal: Principal, id: string | undefined): Promise<SiteSettings> {
    if (id === undefined) return ANY_SITE;
    const project = await this.projects.find(requireProject(principal, id));
    if (project === null) throw notFound('project');
    return { trustedProxies: project.trusted_proxies, hostNames: project.host_names };
  }
}
