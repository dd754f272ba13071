import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { TransientError } from '#libs/bus';
import { LookupCache } from '#libs/cache';
import { ProjectSettingsRepository, type ProjectSettings } from './project-settings.repository.js';

/** Settings of projects from memory, a few seconds old at most. */
@Injectable()
export class ProjectSettingsService implements OnApplicationShutdown {
  private readonly cache: LookupCache<ProjectSettings>;

  constructor(@Inject(ProjectSettingsRepository) repository: ProjectSettingsRepository) {
    this.cache = new LookupCache({ load: (ids) => repository.find(ids) });
  }

  /**
   * @returns undefined when there is no such project.
   * @throws TransientError when nobody can say.
   */
  async find(projectId: string): Promise<ProjectSettings | undefined> {
    try {
      return this.cache.peek(projectId) ?? (await this.cache.get(projectId));
    } catch (error) {
      throw new TransientError('project settings can not be read', { cause: error });
    }
  }

  onApplicationShutdown(): void {
    this.cache.close();
  }
}
