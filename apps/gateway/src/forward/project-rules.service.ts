import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { LookupCache, LookupUnavailableError, PubSub } from '#libs/cache';
import { ACCESS_CHANNEL } from '#libs/contracts';
import { unavailable } from '#libs/platform';
import { ProjectRulesRepository } from './project-rules.repository.js';
import { BlockingRules } from './blocking-rules.js';

const NO_RULES = new BlockingRules({ agent_types: [], format: 'text' }, []);

/**
 * Caches projects' saved rules. The cache is refreshed every few seconds and whenever the console announces a change.
 * Entries remain valid for an hour while the database is down.
 */
@Injectable()
export class ProjectRulesService implements OnApplicationShutdown {
  private readonly rules: LookupCache<BlockingRules>;
  private readonly unsubscribe: () => void;

  constructor(repository: ProjectRulesRepository, pubSub: PubSub) {
    this.rules = new LookupCache({
      load: async (projectIds) => {
        const saved = await repository.find(projectIds);
        return new Map(projectIds.map((id) => [id, saved.get(id) ?? NO_RULES]));
      },
    });
    this.unsubscribe = pubSub.subscribe(ACCESS_CHANNEL, () => void this.rules.refresh());
  }

  /** @throws {ProblemError} 503 if the rules aren't cached and can't be loaded. */
  async find(projectId: string): Promise<BlockingRules> {
    try {
      return this.rules.getCached(projectId) ?? (await this.rules.get(projectId)) ?? NO_RULES;
    } catch (error) {
      if (!(error instanceof LookupUnavailableError)) throw error;
      throw unavailable('The rules of the project cannot be read right now. Try again in a moment.', error, 2);
    }
  }

  onApplicationShutdown(): void {
    this.unsubscribe();
    this.rules.close();
  }
}
