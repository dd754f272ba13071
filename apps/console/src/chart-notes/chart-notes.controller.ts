import { Controller, Inject } from '@nestjs/common';
import {
  changeChartNote,
  createChartNote,
  deleteChartNote,
  listChartNotes,
  MAX_CHART_NOTES,
  type ChartNote,
  type ChartNotes,
} from '#libs/contracts';
import { CLOCK, type Clock, Handle, notFound, ProblemError, type RequestOf } from '#libs/platform';
import { ProjectsRepository } from '../projects/projects.repository.js';
import { resolveRange } from '../statistics/time-range.js';
import { ChartNotesRepository } from './chart-notes.repository.js';
import { getLocalDays } from './local-days.js';

/** Serves notes on a project's charts, along with rule and catalog changes in the same range. */
@Controller()
export class ChartNotesController {
  constructor(
    private readonly notes: ChartNotesRepository,
    private readonly projects: ProjectsRepository,
    @Inject(CLOCK) private readonly now: Clock,
  ) {}

  @Handle(listChartNotes)
  async list({ params, query }: RequestOf<typeof listChartNotes>): Promise<ChartNotes> {
    const range = resolveRange(query, this.now());
    const { id, time_zone: timeZone } = await this.projects.require(params.id);
    const [notes, rulesVersions, catalogUpdates] = await Promise.all([
      this.notes.list(id, getLocalDays(range, timeZone)),
      this.notes.listRulesVersions(id, range),
      this.notes.listCatalogUpdates(range),
    ]);
    return { notes, rules_versions: rulesVersions, catalog_updates: catalogUpdates };
  }

  @Handle(createChartNote)
  async create({ params, principal, body }: RequestOf<typeof createChartNote>): Promise<ChartNote> {
    const note = await this.notes.create(params.id, body, principal.makerId);
    if (note === 'unknown') throw notFound('project');
    if (note === 'full') {
      throw new ProblemError('conflict', `A project can have at most ${MAX_CHART_NOTES} notes. Delete one first.`);
    }
    return note;
  }

  @Handle(changeChartNote)
  async change({ params, body }: RequestOf<typeof changeChartNote>): Promise<ChartNote> {
    const { id } = await this.projects.require(params.id);
    const note = await this.notes.change(id, params.noteId, body);
    if (note === null) throw notFound('note');
    return note;
  }

  @Handle(deleteChartNote)
  async delete({ params }: RequestOf<typeof deleteChartNote>): Promise<void> {
    const { id } = await this.projects.require(params.id);
    if (!(await this.notes.delete(id, params.noteId))) throw notFound('note');
  }
}
