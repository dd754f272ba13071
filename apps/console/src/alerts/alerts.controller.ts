import { Controller } from '@nestjs/common';
import {
  alertKindInfo,
  changeAlert,
  createAlert,
  deleteAlert,
  listAlertEvents,
  listAlerts,
  MAX_ALERTS,
  previewAlert,
  restoreAlert,
  type Alert,
  type AlertEvent,
  type AlertList,
  type AlertPreview,
} from '#libs/contracts';
import { Handle, invalidBody, notFound, ProblemError, type RequestOf } from '#libs/platform';
import { ProjectsRepository } from '../projects/projects.repository.js';
import { AlertsRepository, toAlertSettings, type AlertScope } from './alerts.repository.js';
import { AlertsService } from './alerts.service.js';

@Controller()
export class AlertsController {
  constructor(
    private readonly alerts: AlertsRepository,
    private readonly service: AlertsService,
    private readonly projects: ProjectsRepository,
  ) {}

  @Handle(listAlerts)
  async list({ params }: RequestOf<typeof listAlerts>): Promise<AlertList> {
    const { id } = await this.projects.require(params.id);
    return this.service.list(id);
  }

  @Handle(createAlert)
  async create({ params, body }: RequestOf<typeof createAlert>): Promise<Alert> {
    const settings = toAlertSettings(body);
    requireValidScope(settings);
    const created = await this.alerts.create(params.id, settings);
    if (created === 'unknown') throw notFound('project');
    if (created === 'full') throw tooManyAlerts();
    return this.require(params.id, created.id);
  }

  @Handle(changeAlert)
  async change({ params: { id, alertId }, body }: RequestOf<typeof changeAlert>): Promise<Alert> {
    await this.projects.require(id);
    if (!(await this.alerts.change(id, alertId, body, requireValidScope))) throw notFound('alert');
    return this.require(id, alertId);
  }

  @Handle(deleteAlert)
  async delete({ params }: RequestOf<typeof deleteAlert>): Promise<void> {
    const { id } = await this.projects.require(params.id);
    if (!(await this.alerts.delete(id, params.alertId))) throw notFound('alert');
  }

  @Handle(restoreAlert)
  async restore({ params: { id, alertId } }: RequestOf<typeof restoreAlert>): Promise<Alert> {
    await this.projects.require(id);
    const outcome = await this.alerts.restore(id, alertId);
    if (outcome === 'full') throw tooManyAlerts();
    if (outcome === 'unknown') throw notFound('deleted alert');
    return this.require(id, alertId);
  }

  @Handle(previewAlert)
  async preview({ params, body }: RequestOf<typeof previewAlert>): Promise<AlertPreview> {
    const { id } = await this.projects.require(params.id);
    const settings = toAlertSettings(body);
    requireValidScope(settings);
    return this.service.preview(id, settings);
  }

  @Handle(listAlertEvents)
  async events({ params }: RequestOf<typeof listAlertEvents>): Promise<{ events: AlertEvent[] }> {
    const { id } = await this.projects.require(params.id);
    return { events: await this.service.events(id) };
  }

  private async require(projectId: string, id: string): Promise<Alert> {
    const alert = await this.service.find(projectId, id);
    if (alert === undefined) throw notFound('alert');
    return alert;
  }
}

const tooManyAlerts = (): ProblemError =>
  new ProblemError('conflict', `A project can have at most ${MAX_ALERTS} alerts. Delete one first.`);

/**
 * Rejects an alert with more than one of agent, type and operator, or with any of them if its kind covers the entire
 * site.
 *
 * @throws {ProblemError} 422
 */
function requireValidScope({ kind, ...scope }: AlertScope): void {
  const scopeFields = (['agent_id', 'agent_type', 'operator'] as const).filter((name) => scope[name] != null);
  if (scopeFields.length === 0) return;
  const { scopedLabel, label } = alertKindInfo(kind);
  if (scopedLabel !== null && scopeFields.length === 1) return;
  const detail =
    scopedLabel !== null
      ? 'must be null: an alert can be limited to only one agent, type or operator'
      : `must be null: "${label}" always covers the entire site`;
  throw invalidBody(`/${scopeFields.at(-1)}`, detail);
}
