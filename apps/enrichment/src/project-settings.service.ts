import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { TransientError } from '#libs/bus';
import { LookupCache, PubSub } from '#libs/cache';
import { ACCESS_CHANNEL } from '#libs/contracts';
import { type ProjectSettings, ProjectSettingsRepository } from '#libs/enrichment';

/** In-memory cache for project settings. While the database is available, entries are at most a few seconds old. */
@Injectable()
export class ProjectSettingsService implements OnApplicationShutdown {
  private readonly cache: LookupCache<ProjectSettings>;
  private readonly unsubscribe: () => void;

  constructor(repository: ProjectSettingsRepository, pubSub: PubSub) {
    this.cache = new LookupCache({ load: (ids) => repository.find(ids) });
    this.unsubscribe = pubSub.subscribe(ACCESS_CHANNEL, () => void this.cache.refresh());
  }

  /** @throws {TransientError} if the database is unavailable and the project isn't cached. */
  async find(projectId: string): Promise<ProjectSettings | undefined> {
    try {
      return this.cache.getCached(projectId) ?? (await this.cache.get(projectId));
    } catch (error) {
      throw new TransientError('could not read the project settings', { cause: error });
    }
  }

  onApplicationShutdown(): void {
    this.unsubscribe();
    this.cache.close();
  }
}
