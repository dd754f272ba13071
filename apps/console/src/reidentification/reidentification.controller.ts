import { Controller, Inject } from '@nestjs/common';
import {
  changeReidentification,
  createReidentification,
  getReidentification,
  listReidentifications,
  parseTimestamp,
  type Reidentification,
  type ReidentificationAction,
  type Reidentifications,
} from '#libs/contracts';
import { CLOCK, type Clock, Handle, notFound, ProblemError, type RequestOf } from '#libs/platform';
import { ProjectsRepository } from '../projects/projects.repository.js';
import { ReidentificationRepository } from './reidentification.repository.js';

const AT_WORK =
  'Another re-identification of this project is under way. Wait until it is done, or cancel it, then try again.';
const IMPOSSIBLE: Record<ReidentificationAction, string> = {
  apply: 'Only a finished preview can be applied.',
  pause: 'The re-identification is not under way, so it cannot be paused.',
  resume: 'The re-identification is not under way, so it cannot be resumed.',
  cancel: 'The re-identification is over, so it cannot be canceled.',
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
    // New visits are identified with today's catalog anyway, and the work would never catch up with them.
    const to = Math.min(parseTimestamp(body.to)!, this.now());
    if (from >= to) {
      throw new ProblemError('invalid-body', 'The request body is not valid.', {
        errors: [{ pointer: '/from', detail: 'must be before to, and before now' }],
      });
    }
    const range = { from: new Date(from), to: new Date(to), agent: body.agent ?? null };
    const created = await this.reidentifications.create(id, range, principal.makerId);
    if (created === null) throw new ProblemError('conflict', AT_WORK);
    return created;
  }

  @Handle(getReidentification)
  async get({ params }: RequestOf<typeof getReidentification>): Promise<Reidentification> {
    const { id } = await this.projects.require(params.id);
    return this.require(id, params.reidentificationId);
  }

  @Handle(changeReidentification)
  async change({ params, body }: RequestOf<typeof changeReidentification>): Promise<Reidentification> {
    const { id } = await this.projects.require(params.id);
    await this.require(id, params.reidentificationId);
    const changed = await this.reidentifications.change(id, params.reidentificationId, body.action);
    if (changed === 'at work') throw new ProblemError('conflict', AT_WORK);
    if (changed === null) throw new ProblemError('conflict', IMPOSSIBLE[body.action]);
    return changed;
  }

  private async require(projectId: string, id: string): Promise<Reidentification> {
    const found = await this.reidentifications.find(projectId, id);
    if (found === null) throw notFound('re-identification');
    return found;
  }
}
