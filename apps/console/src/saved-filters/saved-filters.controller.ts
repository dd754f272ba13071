import { Controller } from '@nestjs/common';
import {
  createSavedFilter,
  deleteSavedFilter,
  listSavedFilters,
  MAX_SAVED_FILTERS,
  renameSavedFilter,
  type SavedFilter,
} from '#libs/contracts';
import { Handle, notFound, ProblemError, type RequestOf } from '#libs/platform';
import { ProjectsRepository } from '../projects/projects.repository.js';
import { SavedFiltersRepository } from './saved-filters.repository.js';

@Controller()
export class SavedFiltersController {
  constructor(
    private readonly filters: SavedFiltersRepository,
    private readonly projects: ProjectsRepository,
  ) {}

  @Handle(listSavedFilters)
  async list({ params }: RequestOf<typeof listSavedFilters>): Promise<{ saved_filters: SavedFilter[] }> {
    const { id } = await this.projects.require(params.id);
    return { saved_filters: await this.filters.list(id) };
  }

  @Handle(createSavedFilter)
  async create({ params, principal, body }: RequestOf<typeof createSavedFilter>): Promise<SavedFilter> {
    const saved = await this.filters.create(params.id, body, principal.makerId);
    if (saved === 'unknown') throw notFound('project');
    if (saved === 'known') throw createNameConflict(body.name);
    if (saved === 'full') {
      throw new ProblemError(
        'conflict',
        `A project can have at most ${MAX_SAVED_FILTERS} saved filters. Delete one first.`,
      );
    }
    return saved;
  }

  @Handle(renameSavedFilter)
  async rename({ params, body }: RequestOf<typeof renameSavedFilter>): Promise<SavedFilter> {
    const { id } = await this.projects.require(params.id);
    const renamed = await this.filters.rename(id, params.filterId, body.name);
    if (renamed === 'unknown') throw notFound('saved filter');
    if (renamed === 'known') throw createNameConflict(body.name);
    return renamed;
  }

  @Handle(deleteSavedFilter)
  async delete({ params }: RequestOf<typeof deleteSavedFilter>): Promise<void> {
    const { id } = await this.projects.require(params.id);
    if (!(await this.filters.delete(id, params.filterId))) throw notFound('saved filter');
  }
}

const createNameConflict = (name: string): ProblemError =>
  new ProblemError('conflict', `This project already has a saved filter named “${name}”. Choose another name.`, {
    errors: [{ pointer: '/name', detail: 'must not be the name of another saved filter' }],
  });
