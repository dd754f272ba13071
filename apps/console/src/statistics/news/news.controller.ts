import { Controller, Inject } from '@nestjs/common';
import { getNews, type News } from '#libs/contracts';
import { CLOCK, type Clock, Handle, type RequestOf } from '#libs/platform';
import { ProjectsRepository } from '../../projects/projects.repository.js';
import { resolveComparisonRange, resolveRange } from '../time-range.js';
import { NewsService } from './news.service.js';

@Controller()
export class NewsController {
  constructor(
    private readonly newsService: NewsService,
    private readonly projects: ProjectsRepository,
    @Inject(CLOCK) private readonly now: Clock,
  ) {}

  @Handle(getNews)
  async news({ params: { id: projectId }, query, principal }: RequestOf<typeof getNews>): Promise<News> {
    const now = this.now();
    const range = resolveRange(query, now);
    await this.projects.require(projectId);
    const previous = resolveComparisonRange(range, query.compare_from);
    return this.newsService.findNews(projectId, range, { previous, now, isAdmin: principal.admin });
  }
}
