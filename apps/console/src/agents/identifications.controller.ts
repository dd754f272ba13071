import { Controller } from '@nestjs/common';
import { IdentificationApi, type SiteSettings } from '#libs/catalog';
import { explainIdentification, type Explanation } from '#libs/contracts';
import { Handle, type RequestOf } from '#libs/platform';
import { requireProject, type Principal } from '../access/principal.js';
import { ProjectsRepository } from '../projects/projects.repository.js';

const ANY_SITE: SiteSettings = { trustedProxies: {}, hostNames: [] };

@Controller()
export class IdentificationsController {
  constructor(
    private readonly identifications: IdentificationApi,
    private readonly projects: ProjectsRepository,
  ) {}

  @Handle(explainIdentification)
  async explain({ principal, body }: RequestOf<typeof explainIdentification>): Promise<Explanation> {
    const request = body;
    const item = {
      headers: request.request_headers,
      method: request.request_method ?? null,
      path: request.request_path ?? null,
      peer: request.client_address,
    };
    return this.identifications.explain(item, await this.getSiteSettings(principal, request.project_id));
  }

  private async getSiteSettings(principal: Principal, id: string | undefined): Promise<SiteSettings> {
    if (id === undefined) return ANY_SITE;
    const project = await this.projects.require(requireProject(principal, id));
    return { trustedProxies: project.trusted_proxies, hostNames: project.host_names };
  }
}
