import { Controller } from '@nestjs/common';
import { changeDrainSettings, getDrainSettings, listDrains, type Drain, type DrainSettings } from '#libs/contracts';
import { Handle, notFound, requireMatchingVersion, type RequestOf } from '#libs/platform';
import { AccessChanges } from '../access/access-changes.service.js';
import { ProjectsRepository } from '../projects/projects.repository.js';
import { DrainsRepository } from './drains.repository.js';

@Controller()
export class DrainsController {
  constructor(
    private readonly drains: DrainsRepository,
    private readonly projects: ProjectsRepository,
    private readonly changes: AccessChanges,
  ) {}

  @Handle(listDrains)
  async list({ params: { id } }: RequestOf<typeof listDrains>): Promise<{ drains: Drain[] }> {
    await this.projects.require(id);
    return { drains: await this.drains.list(id) };
  }

  @Handle(getDrainSettings)
  async settings({ params: { id } }: RequestOf<typeof getDrainSettings>): Promise<DrainSettings> {
    await this.projects.require(id);
    return this.drains.getSettings(id);
  }

  @Handle(changeDrainSettings)
  async change({ params: { id }, body }: RequestOf<typeof changeDrainSettings>): Promise<DrainSettings> {
    const settings = await this.drains.change(id, body, requireMatchingVersion);
    if (settings === null) throw notFound('project');
    this.changes.announce();
    return settings;
  }
}
