import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { TransientError } from '#libs/bus';
import { LookupCache, PubSub } from '#libs/cache';
import { ACCESS_CHANNEL } from '#libs/contracts';
import { type ProjectSettings, ProjectSettingsRepository } from '#libs/enrichment';

/** Settings of projects from memory, a few seconds old at most. */
@Injectable()
export class ProjectSettingsService implements OnApplicationShutdown {
  private readonly cache: LookupCache<ProjectSettings>;
  private readonly unsubscribe: () => void;

  constructor(repository: ProjectSettingsRepository, pubSub: PubSub) {
    this.cache = new LookupCache({ load: (ids) => repository.find(ids) });
    this.unsubscribe = pubSub.subscribe(ACCESS_CHANNEL, () => void this.cache.refresh());
  }

  /**
   * @returns undefined when there is no such project.
   * @throws TransientError when nobody can say.
   */
  async find(projectId: string): Promise<ProjectSettings | undefined> {
    try {
      return this.cache.getCached(projectId) ?? (await this.cache.get(projectId));
    } catch (error) {
      throw new TransientError('project settings cannot be read', { cause: error });
    }
  }

  onApplicationShutdown(): void {
    this.unsubscribe();
    this.cache.close();
  }
}
