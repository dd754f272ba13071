import { Controller, Inject } from '@nestjs/common';
import { agentId } from '#libs/catalog';
import {
  changeReidentification,
  createReidentification,
  getReidentification,
  listReidentifications,
  parseTimestamp,
  type Reidentification,
  type ReidentificationAction,
  type Reidentifications,
  type ReidentificationState,
} from '#libs/contracts';
import { CLOCK, type Clock, Handle, invalidBody, notFound, ProblemError, type RequestOf } from '#libs/platform';
import { ProjectsRepository } from '../projects/projects.repository.js';
import { ReidentificationRepository } from './reidentification.repository.js';

const ACTION_CONFLICTS: Record<ReidentificationAction, string> = {
  apply: 'Only a finished preview can be applied.',
  pause: 'The re-identification is not in progress, so it cannot be paused.',
  resume: 'The re-identification is not in progress, so it cannot be resumed.',
  cancel: 'The re-identification has already ended, so it cannot be canceled.',
};
const APPLY_CONFLICTS: Record<Exclude<ReidentificationState, 'previewed'>, string> = {
  previewing: 'The preview is not finished yet. Wait until it finishes, then apply it.',
  applying: 'The re-identification is already being applied.',
  applied: 'The re-identification has already been applied.',
  canceled: 'The re-identification was canceled. Start a new preview.',
};

@Controller()
export class ReidentificationController {
  constructor(
    private readonly reidentifications: ReidentificationRepository,
    private readonly projects: ProjectsRepository,
    @Inject(CLOCK) private readonly now: Clock,
  ) {}

  @Handle(listReidentifications)
  async list({ params }: RequestOf<typeof listReidentifications>): Promise<Reidentifications> {
    const { id } = await this.projects.require(params.id);
    const [reidentifications, changedAt] = await Promise.all([
      this.reidentifications.list(id),
      this.reidentifications.findCatalogChange(id),
    ]);
    return { reidentifications, catalog_changed_at: changedAt };
  }

  @Handle(createReidentification)
  async create({ params, principal, body }: RequestOf<typeof createReidentification>): Promise<Reidentification> {
    const { id } = await this.projects.require(params.id);
    const from = parseTimestamp(body.from)!;
    // Exclude future visits. They will be identified with the current catalog anyway, and the job would never catch up
    // with them.
    const to = Math.min(parseTimestamp(body.to)!, this.now());
    if (from >= to) {
      throw invalidBody('/from', 'must be before to and in the past');
    }
    const { agent = null } = body;
    if (agent !== null && !(await this.reidentifications.hasAgent(id, agentId(agent)))) {
      throw invalidBody('/agent', `must be the token of an agent in the catalog or in stored visits (got "${agent}")`);
    }
    const range = { from: new Date(from), to: new Date(to), agent };
    const created = await this.reidentifications.create(id, range, principal.makerId);
    return created ?? this.rejectConcurrent(id);
  }

  @Handle(getReidentification)
  async get({ params }: RequestOf<typeof getReidentification>): Promise<Reidentification> {
    const { id } = await this.projects.require(params.id);
    return this.require(id, params.reidentificationId);
  }

  @Handle(changeReidentification)
  async change({ params, body }: RequestOf<typeof changeReidentification>): Promise<Reidentification> {
    const { id } = await this.projects.require(params.id);
    const { state } = await this.require(id, params.reidentificationId);
    const changed = await this.reidentifications.change(id, params.reidentificationId, body.action);
    if (changed === 'at work') return this.rejectConcurrent(id);
    if (changed !== null) return changed;
    const isApplied = body.action === 'apply' && state !== 'previewed';
    throw new ProblemError('conflict', isApplied ? APPLY_CONFLICTS[state] : ACTION_CONFLICTS[body.action]);
  }

  /** @throws {ProblemError} 409 with the ID of the active re-identification. */
  private async rejectConcurrent(projectId: string): Promise<never> {
    const active = await this.reidentifications.findActive(projectId);
    const name = active === null ? 'Another re-identification' : `Re-identification ${active.id}`;
    const detail = active?.is_paused
      ? `${name} for this project is paused. Cancel it, or resume it and wait until it finishes, then try again.`
      : `${name} for this project is in progress. Wait until it finishes or cancel it, then try again.`;
    throw new ProblemError('conflict', detail);
  }

  private async require(projectId: string, id: string): Promise<Reidentification> {
    const found = await this.reidentifications.find(projectId, id);
    if (found === null) throw notFound('re-identification');
    return found;
  }
}
