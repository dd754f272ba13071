import { Controller, Inject } from '@nestjs/common';
import {
  dismissUserAgent,
  getUnlisted,
  listDismissedUserAgents,
  MAX_DISMISSED,
  restoreUserAgent,
  tryPatterns,
  type DismissedUserAgent,
  type DismissedUserAgents,
  type PatternTrialResult,
  type Unlisted,
} from '#libs/contracts';
import { CLOCK, type Clock, Handle, notFound, ProblemError, type RequestOf, invalidBodyError } from '#libs/platform';
import { ProjectsRepository } from '../projects/projects.repository.js';
import { resolveRange } from '../statistics/time-range.js';
import { DismissedUserAgentsRepository } from './dismissed-user-agents.repository.js';
import { PatternTrialService } from './pattern-trial.service.js';
import { UnlistedService } from './unlisted.service.js';

@Controller()
export class UnlistedController {
  constructor(
    private readonly unlisted: UnlistedService,
    private readonly trials: PatternTrialService,
    private readonly dismissals: DismissedUserAgentsRepository,
    private readonly projects: ProjectsRepository,
    @Inject(CLOCK) private readonly now: Clock,
  ) {}

  @Handle(getUnlisted)
  async get({ params, query }: RequestOf<typeof getUnlisted>): Promise<Unlisted> {
    const range = resolveRange(query, this.now());
    const { id } = await this.projects.require(params.id);
    return this.unlisted.list(id, range, query.automation);
  }

  @Handle(tryPatterns)
  async tryPatterns({ params, body }: RequestOf<typeof tryPatterns>): Promise<PatternTrialResult> {
    const { id } = await this.projects.require(params.id);
    const result = await this.trials.run(id, body.user_agent_patterns);
    if (Array.isArray(result)) throw invalidBodyError(result);
    return result;
  }

  @Handle(listDismissedUserAgents)
  async listDismissed({ params }: RequestOf<typeof listDismissedUserAgents>): Promise<DismissedUserAgents> {
    const { id } = await this.projects.require(params.id);
    return { dismissed: await this.dismissals.list(id) };
  }

  @Handle(dismissUserAgent)
  async dismiss({ params, principal, body }: RequestOf<typeof dismissUserAgent>): Promise<DismissedUserAgent> {
    const dismissed = await this.dismissals.dismiss(params.id, body.user_agent_group, principal.makerId);
    if (dismissed === 'unknown') throw notFound('project');
    if (dismissed === 'full') {
      throw new ProblemError(
        'conflict',
        `A project can dismiss at most ${MAX_DISMISSED} user agents. Restore one first.`,
      );
    }
    return dismissed;
  }

  @Handle(restoreUserAgent)
  async restore({ params }: RequestOf<typeof restoreUserAgent>): Promise<void> {
    const { id } = await this.projects.require(params.id);
    if (!(await this.dismissals.restore(id, params.dismissedId))) throw notFound('dismissed user agent');
  }
}
