import { Controller } from '@nestjs/common';
import { RateLimiter, type BucketKind } from '#libs/cache';
import { sendSampleVisit } from '#libs/contracts';
import { Handle, recordAuditEntry, type RequestOf, tooManyRequests } from '#libs/platform';
import { ProjectsRepository } from '../projects/projects.repository.js';
import { SampleVisitService } from './sample-visit.service.js';

const BUCKET_KIND: BucketKind = { name: 'sample-visits', failsOpen: true };
/** Allows each project a burst of 10, then 10 per minute. */
const RATE_LIMIT = { burst: 10, perSecond: 1 / 6 };

@Controller()
export class SampleVisitsController {
  constructor(
    private readonly samples: SampleVisitService,
    private readonly projects: ProjectsRepository,
    private readonly limiter: RateLimiter,
  ) {}

  @Handle(sendSampleVisit)
  async send({ params: { id: projectId }, raw }: RequestOf<typeof sendSampleVisit>): Promise<{ visit_id: string }> {
    const project = await this.projects.require(projectId);
    const { allowed, retryAfterSeconds } = await this.limiter.take(BUCKET_KIND, projectId, 1, RATE_LIMIT);
    if (!allowed)
      throw tooManyRequests(`Too many sample visits. Try again in ${retryAfterSeconds} s.`, retryAfterSeconds);
    await recordAuditEntry();
    return { visit_id: await this.samples.send(project, raw.context.traceparent) };
  }
}
