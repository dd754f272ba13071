import { Controller, Inject } from '@nestjs/common';
import { agentId } from '#libs/catalog';
import { getConduct, isUuid, MAX_CONDUCT_DAYS, MAX_TIME, type Conduct } from '#libs/contracts';
import { CLOCK, type Clock, Handle, invalidQueryError, type RequestOf } from '#libs/platform';
import { ProjectsRepository } from '../projects/projects.repository.js';
import { resolveRange } from '../statistics/time-range.js';
import { DAY_MS } from './agent-days.js';
import { ConductService } from './conduct.service.js';

/** Last day with an end that can be represented. */
const LAST_END_MS = Math.floor(MAX_TIME / DAY_MS) * DAY_MS;

@Controller()
export class ConductController {
  constructor(
    private readonly conduct: ConductService,
    private readonly projects: ProjectsRepository,
    @Inject(CLOCK) private readonly now: Clock,
  ) {}

  @Handle(getConduct)
  async report({ params, query }: RequestOf<typeof getConduct>): Promise<Conduct> {
    const now = this.now();
    const to = query.to ?? now;
    const { from } = resolveRange({ ...query, to }, now);
    if (to - (query.from ?? from) > MAX_CONDUCT_DAYS * DAY_MS) {
      throw invalidQueryError([{ pointer: '/from', detail: `must be at most ${MAX_CONDUCT_DAYS} days before to` }]);
    }
    const project = await this.projects.require(params.id);
    const agents = query.agent?.map((agent) => (isUuid(agent) ? agent.toLowerCase() : agentId(agent))) ?? null;
    const range = {
      from: Math.floor(from / DAY_MS) * DAY_MS,
      to: Math.min(Math.ceil(to / DAY_MS) * DAY_MS, LAST_END_MS),
    };
    return this.conduct.report(project, range, agents);
  }
}
