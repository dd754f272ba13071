import { Controller, Inject } from '@nestjs/common';
import {
  getSiteHosts,
  listSitemaps,
  recordSitemap,
  refreshSitemaps,
  type NewSitemap,
  type SitemapList,
} from '#libs/contracts';
import { CLOCK, type Clock, Handle, invalidBody, recordAuditEntry, type RequestOf } from '#libs/platform';
import { parseSitemap } from '#libs/sitemaps';
import { ProjectsRepository } from '../projects/projects.repository.js';
import { resolveSiteHost } from '../robots-versions/robots-versions.controller.js';
import { PageList } from './read-sitemaps.js';
import { SitemapsRepository, type SitemapsRead } from './sitemaps.repository.js';
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
    const read = await parseRecorded(body, host, getSiteHosts(project));
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

/**
 * @returns Null if the text is empty.
 * @throws {ProblemError} 422 if the text isn't a sitemap with pages of the project.
 */
async function parseRecorded(
  { text, compressed_text: compressedText }: NewSitemap,
  host: string,
  hosts: readonly string[],
): Promise<SitemapsRead | null> {
  if ((text === undefined) === (compressedText === undefined)) {
    throw invalidBody('/text', 'is required, unless there is a `compressed_text`');
  }
  if (text?.trim() === '') return null;
  const field = text === undefined ? '/compressed_text' : '/text';
  const parsed = await parseSitemap(Buffer.from((text ?? compressedText)!, text === undefined ? 'base64' : 'utf8'));
  if (parsed.fault !== null) {
    throw invalidBody(field, `${parsed.fault}${parsed.line === null ? '' : ` (line ${parsed.line})`}`);
  }
  if (parsed.isIndex) throw invalidBody(field, 'is an index. Record a sitemap that lists pages instead');
  const pages = new PageList(hosts);
  const ignored = pages.add(parsed);
  if (pages.listed.length === 0) throw invalidBody(field, "lists no pages on the project's hosts");
  const sitemap = { url: host, is_index: false, entries: parsed.entries.length, ignored, fault: null, line: null };
  return { sitemaps: [sitemap], pages: pages.listed, isComplete: true };
}
