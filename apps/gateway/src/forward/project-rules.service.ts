import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { LookupCache, LookupUnavailableError, PubSub } from '#libs/cache';
import { ACCESS_CHANNEL } from '#libs/contracts';
import { unavailable } from '#libs/platform';
import { ProjectRulesRepository } from './project-rules.repository.js';
import { RefusalRules } from './refusal-rules.js';

/** Of a project without saved rules. */
const NO_RULES = new RefusalRules({ agent_types: [], format: 'text' }, []);

/**
 * Knows the saved rules of the projects whose proxies ask. Answers come from memory; they are refreshed when the console
 * says that something changed, and every few seconds, and hold for an hour while the database is away.
 */
@Injectable()
export class ProjectRulesService implements OnApplicationShutdown {
  private readonly rules: LookupCache<RefusalRules>;
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

  /** @throws ProblemError 503 while nobody can say. */
  async find(projectId: string): Promise<RefusalRules> {
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
