import { Controller } from '@nestjs/common';
import { RateLimiter, type BucketKind } from '#libs/cache';
import { getTestVisit, sendTestVisit, type SiteTestVisit } from '#libs/contracts';
import { Handle, notFound, ProblemError, type RequestOf, tooManyRequests } from '#libs/platform';
import { getRole, type Principal } from '../access/principal.js';
import { ProjectsRepository } from '../projects/projects.repository.js';
import { diagnose } from './diagnosis.js';
import type { StoredTestVisit } from './test-visit.state.js';
import { TestVisitsRepository } from './test-visits.repository.js';
import { TestVisitsService } from './test-visits.service.js';

const BUCKET_KIND: BucketKind = { name: 'test-visits', failsOpen: true };
/** Allows each project a burst of 5, then 4 per minute. */
const RATE_LIMIT = { burst: 5, perSecond: 1 / 15 };

@Controller()
export class TestVisitsController {
  constructor(
    private readonly service: TestVisitsService,
    private readonly testVisits: TestVisitsRepository,
    private readonly projects: ProjectsRepository,
    private readonly limiter: RateLimiter,
  ) {}

  /** Starts a test visit. Responds without waiting for the site. */
  @Handle(sendTestVisit)
  async send({ params: { id: projectId }, principal, body }: RequestOf<typeof sendTestVisit>): Promise<SiteTestVisit> {
    const { path } = body;
    const project = await this.projects.require(projectId);
    const { allowed, retryAfterSeconds } = await this.limiter.take(BUCKET_KIND, projectId, 1, RATE_LIMIT);
    if (!allowed) {
      throw tooManyRequests(`Too many test visits. Try again in ${retryAfterSeconds} s.`, retryAfterSeconds);
    }
    const testVisit = await this.service.start(projectId, getPageUrl(project.site_address, path));
    if (testVisit !== null) return this.toResponse(testVisit, principal);
    throw new ProblemError('conflict', 'A test visit for this project is already in progress. Wait until it finishes.');
  }

  @Handle(getTestVisit)
  async find({
    params: { id: projectId, testVisitId },
    principal,
  }: RequestOf<typeof getTestVisit>): Promise<SiteTestVisit> {
    const testVisit = await this.testVisits.find(projectId, testVisitId);
    if (testVisit === null) throw notFound('test visit');
    return this.toResponse(testVisit, principal);
  }

  private async toResponse(testVisit: StoredTestVisit, principal: Principal): Promise<SiteTestVisit> {
    const { id, projectId, startedAt, finishedAt, state } = testVisit;
    const { url, outcome, answer, report, refused, otherProjectId: other } = state;
    const otherProject = other === null || getRole(principal, other) === null ? null : await this.projects.find(other);
    const { message, nextSteps } = diagnose(state, otherProject?.name ?? null) ?? { message: null, nextSteps: [] };
    return {
      id,
      project_id: projectId,
      started_at: startedAt.toISOString(),
      finished_at: finishedAt?.toISOString() ?? null,
      stage: outcome !== null ? 'finished' : answer === null ? 'requesting' : 'waiting',
      url,
      outcome,
      message,
      next_steps: nextSteps,
      answer,
      report,
      refused_request: refused,
    };
  }
}

/** Returns the URL to request. Rejects paths that lead to another site, so clients can't request arbitrary URLs. */
function getPageUrl(siteAddress: string | null, path: string | undefined): URL | null {
  const site = URL.parse(siteAddress ?? '');
  if (site === null || path === undefined) return site;
  const page = new URL(path, site);
  if (page.origin === site.origin) return page;
  throw new ProblemError('invalid-body', "The path must be on the project's site.", {
    errors: [{ pointer: '/path', detail: "must be a path on the project's site" }],
  });
}
