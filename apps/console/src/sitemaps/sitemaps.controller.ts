import { Controller, Inject } from '@nestjs/common';
import { getSiteHosts, listSitemaps, recordSitemap, refreshSitemaps, type SitemapList } from '#libs/contracts';
import { CLOCK, type Clock, Handle, recordAuditEntry, type RequestOf } from '#libs/platform';
import { ProjectsRepository } from '../projects/projects.repository.js';
import { resolveSiteHost } from '../robots-versions/robots-versions.controller.js';
import { parseRecordedSitemap } from './parse-recorded-sitemap.js';
import { SitemapsRepository } from './sitemaps.repository.js';
import { SitemapsService } from './sitemaps.service.js';

@Controller()
export class SitemapsController {
  constructor(
    private readonly projects: ProjectsRepository,
    private readonly sitemaps: SitemapsRepository,
    private readonly reads: SitemapsService,
    @Inject(CLOCK) private readonly now: Clock,
  ) {}

  @Handle(listSitemaps)
  async list({ params }: RequestOf<typeof listSitemaps>): Promise<SitemapList> {
    const { id } = await this.projects.require(params.id);
    return this.sitemaps.list(id);
  }

  @Handle(recordSitemap)
  async record({ params, body }: RequestOf<typeof recordSitemap>): Promise<SitemapList> {
    const project = await this.projects.require(params.id);
    const host = resolveSiteHost(body.host, project);
    const read = await parseRecordedSitemap(body, host, getSiteHosts(project));
    await recordAuditEntry();
    await this.sitemaps.saveRecorded(project.id, host, read, this.now());
    return this.sitemaps.list(project.id);
  }

  @Handle(refreshSitemaps)
  async refresh({ params }: RequestOf<typeof refreshSitemaps>): Promise<SitemapList> {
    const { id } = await this.projects.require(params.id);
    await recordAuditEntry();
    await this.reads.refreshProject(id);
    return this.sitemaps.list(id);
  }
}
