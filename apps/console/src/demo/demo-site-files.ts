import { Injectable } from '@nestjs/common';
import { DEMO_PROJECT, demoRobotsVersions, demoSitemapVersions } from '#libs/demo';
import { RobotsVersionsRepository } from '../robots-versions/robots-versions.repository.js';
import { parseRecordedSitemap } from '../sitemaps/parse-recorded-sitemap.js';
import { SitemapsRepository } from '../sitemaps/sitemaps.repository.js';

const [HOST] = DEMO_PROJECT.host_names;

/** Records the files that the demo shop would serve, because its host doesn't exist. */
@Injectable()
export class DemoSiteFiles {
  constructor(
    private readonly robots: RobotsVersionsRepository,
    private readonly sitemaps: SitemapsRepository,
  ) {}

  /**
   * Must run before visits are published, because they are checked against robots.txt when they arrive.
   *
   * @param start Time of the first visits, in milliseconds since the epoch.
   * @param end End of the story, in milliseconds since the epoch.
   */
  async record(projectId: string, start: number, end: number): Promise<void> {
    for (const { from, text } of demoRobotsVersions(start, end)) {
      await this.robots.record(projectId, HOST, { status: 200, bytes: Buffer.from(text) }, from);
    }
    for (const { from, text } of demoSitemapVersions(start, end)) {
      await this.sitemaps.saveRecorded(projectId, HOST, await parseRecordedSitemap({ text }, HOST, [HOST]), from);
    }
  }
}
