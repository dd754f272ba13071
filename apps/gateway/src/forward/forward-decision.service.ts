import { Injectable } from '@nestjs/common';
import { RateLimiter } from '#libs/cache';
import type { PublicIdentification } from '#libs/contracts';
import {
  applyMatches,
  getAllowanceKey,
  toMatches,
  type DecisionResponse,
  type PolicyMatch,
  type PolicyRequest,
  type RecordedDecision,
} from '#libs/policy';
import type { ProjectAccess } from '../access/access.repository.js';
import { DecisionCountsService } from './decision-counts.service.js';
import type { ForwardedRequest } from './forwarded-request.js';
import { ProjectPoliciesService } from './project-policies.service.js';
import { VisitorTraits } from './visitor-traits.js';

interface ForwardDecision {
  /** Whether live rules matched all spellings of the path. Otherwise, the project's saved rules also apply. */
  isDecided: boolean;
  /** Null lets the request through. */
  response: DecisionResponse | null;
  recorded: readonly RecordedDecision[];
}

type Project = Pick<ProjectAccess, 'projectId' | 'site'>;

const UNDECIDED: ForwardDecision = { isDecided: false, response: null, recorded: [] };
const WINDOW_SECONDS = 60;

/** Applies projects' policies to forwarded requests. */
@Injectable()
export class ForwardDecisionService {
  constructor(
    private readonly policies: ProjectPoliciesService,
    private readonly limiter: RateLimiter,
    private readonly counts: DecisionCountsService,
    private readonly traits: VisitorTraits,
  ) {}

  /** @throws {ProblemError} 503 if the policy isn't cached and can't be loaded. */
  async decide(
    project: Project,
    visitor: PublicIdentification,
    { item, paths, methods }: ForwardedRequest,
  ): Promise<ForwardDecision> {
    const policy = await this.policies.find(project.projectId);
    if (policy.isEmpty) return UNDECIDED;
    const [path, ...otherPaths] = paths as [string, ...string[]];
    const [method = null, ...otherMethods] = methods.map((each) => each.toUpperCase());
    const isUnknown = visitor.agent_token === undefined;
    const request: PolicyRequest = {
      visitor,
      isLikelyAutomated: policy.needsAutomation && isUnknown && this.traits.isLikelyAutomated(item, path, project.site),
      clientAddress: policy.needsAddress ? this.traits.getAddress(item, project.site) : null,
      method,
      host: typeof item.headers['host'] === 'string' ? item.headers['host'].toLowerCase() : null,
      path,
    };
    const decision = policy.decide(request, { paths: otherPaths, methods: otherMethods });
    const matches = toMatches(decision);
    if (matches.length === 0) return UNDECIDED;
    const address = isUnknown ? this.traits.getAddress(item, project.site) : null;
    const seconds = await Promise.all(matches.map((match) => this.takeAllowance(match, project, request, address)));
    const applied = applyMatches(matches, seconds);
    this.counts.record(project.projectId, applied.recorded);
    return { isDecided: decision.isDecided, ...applied };
  }

  /** Returns the seconds to wait, or 0 if the request is within the allowance. Rules in dry run have their own. */
  private takeAllowance(
    match: PolicyMatch,
    { projectId }: Project,
    request: PolicyRequest,
    address: string | null,
  ): Promise<number> | 0 {
    if (match.action.kind !== 'slow_down') return 0;
    // A flood of unknown visitors must not evict the allowances of agents.
    const kind = request.visitor.agent_token === undefined ? 'addresses' : 'agents';
    const name = `${projectId}:${match.mode}:${getAllowanceKey(match, request, address)}`;
    return this.limiter.takeFromWindow(kind, name, match.action.requests_per_minute, WINDOW_SECONDS);
  }
}
