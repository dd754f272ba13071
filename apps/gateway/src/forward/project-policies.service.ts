import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { LookupCache, LookupUnavailableError, PubSub } from '#libs/cache';
import { ACCESS_CHANNEL, type PolicyRule } from '#libs/contracts';
import { unavailable } from '#libs/platform';
import { Policy } from '#libs/policy';
import { ProjectPoliciesRepository } from './project-policies.repository.js';

interface CachedPolicy {
  /** Null if the project has no policy. */
  versionId: string | null;
  rules: readonly PolicyRule[];
  policy: Policy;
}

const NO_POLICY: CachedPolicy = { versionId: null, rules: [], policy: new Policy([]) };

/**
 * Caches projects' policies. The cache is refreshed every few seconds and whenever the console announces a change.
 * Entries remain valid for an hour while the database is down.
 */
@Injectable()
export class ProjectPoliciesService implements OnApplicationShutdown {
  private readonly policies: LookupCache<CachedPolicy>;
  private readonly unsubscribe: () => void;

  constructor(
    private readonly repository: ProjectPoliciesRepository,
    pubSub: PubSub,
  ) {
    this.policies = new LookupCache({ load: (projectIds) => this.load(projectIds) });
    this.unsubscribe = pubSub.subscribe(ACCESS_CHANNEL, () => void this.policies.refresh());
  }

  /** @throws {ProblemError} 503 if the policy isn't cached and can't be loaded. */
  async find(projectId: string): Promise<Policy> {
    return (await this.read(projectId)).policy;
  }

  /** @throws {ProblemError} 503 if the policy isn't cached and can't be loaded. */
  async findRules(projectId: string): Promise<readonly PolicyRule[]> {
    return (await this.read(projectId)).rules;
  }

  onApplicationShutdown(): void {
    this.unsubscribe();
    this.policies.close();
  }

  private async read(projectId: string): Promise<CachedPolicy> {
    try {
      return this.policies.getCached(projectId) ?? (await this.policies.get(projectId)) ?? NO_POLICY;
    } catch (error) {
      if (!(error instanceof LookupUnavailableError)) throw error;
      throw unavailable('The policy of the project cannot be read right now. Try again in a moment.', error, 2);
    }
  }

  /** Compiles only rules that have changed. */
  private async load(projectIds: readonly string[]): Promise<Map<string, CachedPolicy>> {
    const cached = new Map(projectIds.map((id) => [id, this.policies.getCached(id) ?? NO_POLICY]));
    const knownIds = [...cached.values()].flatMap(({ versionId }) => versionId ?? []);
    const versions = await this.repository.findNewest(projectIds, knownIds);
    const loaded = new Map(projectIds.map((id) => [id, NO_POLICY]));
    for (const { project_id: projectId, id: versionId, rules } of versions) {
      loaded.set(projectId, rules === null ? cached.get(projectId)! : { versionId, rules, policy: new Policy(rules) });
    }
    return loaded;
  }
}
