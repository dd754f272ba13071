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

const IMPOSSIBLE: Record<ReidentificationAction, string> = {
  apply: 'Only a finished preview can be applied.',
  pause: 'The re-identification is not under way, so it cannot be paused.',
  resume: 'The re-identification is not under way, so it cannot be resumed.',
  cancel: 'The re-identification is over, so it cannot be canceled.',
};
const NOT_APPLICABLE: Record<Exclude<ReidentificationState, 'previewed'>, string> = {
  previewing: 'The preview is not finished yet. Apply it once it is.',
  applying: 'The re-identification is being applied already.',
  applied: 'The re-identification has been applied already.',
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
      this.reidentifications.catalogChange(id),
    ]);
    return { reidentifications, catalog_changed_at: changedAt };
  }

  @Handle(createReidentification)
  async create({ params, principal, body }: RequestOf<typeof createReidentification>): Promise<Reidentification> {
    const { id } = await this.projects.require(params.id);
    const from = parseTimestamp(body.from)!;
    // New visits are identified with the current catalog anyway, and the job would never catch up with them.
    const to = Math.min(parseTimestamp(body.to)!, this.now());
    if (from >= to) {
      throw invalidBody('/from', 'must be before to, and before now');
    }
    const { agent = null } = body;
    if (agent !== null && !(await this.reidentifications.knowsAgent(id, agentId(agent)))) {
      throw invalidBody('/agent', `must be the token of an agent in the catalog or of stored visits (got "${agent}")`);
    }
    const range = { from: new Date(from), to: new Date(to), agent };
    const created = await this.reidentifications.create(id, range, principal.makerId);
    return created ?? this.refuseBeside(id);
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
    if (changed === 'at work') return this.refuseBeside(id);
    if (changed !== null) return changed;
    const isApplied = body.action === 'apply' && state !== 'previewed';
    throw new ProblemError('conflict', isApplied ? NOT_APPLICABLE[state] : IMPOSSIBLE[body.action]);
  }

  /** @throws {ProblemError} 409 that names the active re-identification. */
  private async refuseBeside(projectId: string): Promise<never> {
    const atWork = await this.reidentifications.findAtWork(projectId);
    const name = atWork === null ? 'Another re-identification' : `The re-identification ${atWork.id}`;
    const detail = atWork?.is_paused
      ? `${name} of this project is paused. Resume or cancel it, and try again once it is over.`
      : `${name} of this project is under way. Wait until it is done, or cancel it, then try again.`;
    throw new ProblemError('conflict', detail);
  }

  private async require(projectId: string, id: string): Promise<Reidentification> {
    const found = await this.reidentifications.find(projectId, id);
    if (found === null) throw notFound('re-identification');
    return found;
  }
}
