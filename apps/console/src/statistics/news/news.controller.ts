import { Controller, Inject } from '@nestjs/common';
import { getNews, type News } from '#libs/contracts';
import { CLOCK, type Clock, Handle, type RequestOf } from '#libs/platform';
import { ProjectsRepository } from '../../projects/projects.repository.js';
import { comparedRangeOf, rangeOf } from '../time-range.js';
import { NewsService } from './news.service.js';

@Controller()
export class NewsController {
  constructor(
    private readonly changes: NewsService,
    private readonly projects: ProjectsRepository,
    @Inject(CLOCK) private readonly now: Clock,
  ) {}

  @Handle(getNews)
  async news({ params: { id: projectId }, query, principal }: RequestOf<typeof getNews>): Promise<News> {
    const now = this.now();
    const range = rangeOf(query, now);
    await this.projects.require(projectId);
    const previous = comparedRangeOf(range, query.compare_from);
    return this.changes.news(projectId, range, { previous, now, isAdmin: principal.admin });
  }
}
