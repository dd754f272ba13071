import { Controller } from '@nestjs/common';
import { RateLimiter, type BucketKind } from '#libs/cache';
import { provePolicy, simulateProof, type PolicyProof, type PolicySimulation } from '#libs/contracts';
import { Handle, ProblemError, tooManyRequests, type RequestOf } from '#libs/platform';
import { ProjectsRepository } from '../projects/projects.repository.js';
import { PolicyProofService } from './policy-proof.service.js';

const BUCKET_KIND: BucketKind = { name: 'policy-proofs', failsOpen: true };
/** Allows each project a burst of 5, then 4 per minute. */
const RATE_LIMIT = { burst: 5, perSecond: 1 / 15 };

@Controller()
export class PolicyProofsController {
  constructor(
    private readonly proofs: PolicyProofService,
    private readonly projects: ProjectsRepository,
    private readonly limiter: RateLimiter,
  ) {}

  @Handle(provePolicy)
  async prove({ params, body }: RequestOf<typeof provePolicy>): Promise<PolicyProof> {
    const { id, site_address: address } = await this.projects.require(params.id);
    const site = URL.parse(address ?? '');
    if (site === null)
      throw new ProblemError('conflict', 'The project has no site address. Enter it in the settings, then try again.');
    const { allowed, retryAfterSeconds } = await this.limiter.take(BUCKET_KIND, id, 1, RATE_LIMIT);
    if (!allowed) throw tooManyRequests(`Too many requests. Try again in ${retryAfterSeconds} s.`, retryAfterSeconds);
    return this.proofs.prove(id, site, body);
  }

  @Handle(simulateProof)
  async simulate({ params, body }: RequestOf<typeof simulateProof>): Promise<PolicySimulation> {
    const { id, site_address: address } = await this.projects.require(params.id);
    return this.proofs.simulate(id, URL.parse(address ?? ''), body);
  }
}
