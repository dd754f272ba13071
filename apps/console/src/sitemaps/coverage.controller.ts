import { Controller, Inject } from '@nestjs/common';
import { coveredPageCursor, getCoverage, listCoveredPages, type Coverage, type CoveredPageList } from '#libs/contracts';
import { CLOCK, type Clock, Handle, type RequestOf } from '#libs/platform';
import { ProjectsRepository } from '../projects/projects.repository.js';
import { CoverageService } from './coverage.service.js';

@Controller()
export class CoverageController {
  constructor(
    private readonly coverage: CoverageService,
    private readonly projects: ProjectsRepository,
    @Inject(CLOCK) private readonly now: Clock,
  ) {}

  @Handle(getCoverage)
  async report({ params, query }: RequestOf<typeof getCoverage>): Promise<Coverage> {
    const { id, path_patterns: named } = await this.projects.require(params.id);
    const patterns = query.by === 'pattern' ? named.map(({ pattern }) => pattern) : null;
    return this.coverage.report(id, patterns, this.now());
  }

  @Handle(listCoveredPages)
  async listPages({ params, query }: RequestOf<typeof listCoveredPages>): Promise<CoveredPageList> {
    const { id } = await this.projects.require(params.id);
    const { cursor, limit, ...filters } = query;
    const found = await this.coverage.listPages(id, { ...filters, after: cursor?.page ?? null, limit: limit + 1 });
    const pages = found.slice(0, limit);
    const last = pages.at(-1);
    const hasMore = found.length > limit && last !== undefined;
    return { pages, next_cursor: hasMore ? coveredPageCursor.write({ page: last.page }) : null };
  }
}
