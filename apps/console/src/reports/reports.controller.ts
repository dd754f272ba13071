import { Controller, Inject } from '@nestjs/common';
import {
  changeReportSettings,
  getReportSettings,
  isUuid,
  showUnsubscription,
  unsubscribe,
  type ReportSettings,
} from '#libs/contracts';
import { CLOCK, type Clock, Handle, ProblemError, type RequestOf } from '#libs/platform';
import { getRole } from '../access/principal.js';
import { MailSender } from '../alerts/channels/mail.sender.js';
import { ProjectsRepository } from '../projects/projects.repository.js';
import { getNextReportTime } from './report-period.js';
import { ReportRecipientsRepository } from './report-recipients.repository.js';
import { SubscriptionsRepository } from './subscriptions.repository.js';

@Controller()
export class ReportsController {
  constructor(
    private readonly subscriptions: SubscriptionsRepository,
    private readonly recipients: ReportRecipientsRepository,
    private readonly projects: ProjectsRepository,
    private readonly mail: MailSender,
    @Inject(CLOCK) private readonly now: Clock,
  ) {}

  @Handle(getReportSettings)
  async show({ principal }: RequestOf<typeof getReportSettings>): Promise<ReportSettings> {
    return this.loadSettings(principal.user!.id);
  }

  @Handle(changeReportSettings)
  async change({ principal, body }: RequestOf<typeof changeReportSettings>): Promise<ReportSettings> {
    const ids = body.project_ids.map((id) => id.toLowerCase());
    const projects = await this.projects.list(ids.filter((id) => getRole(principal, id) !== null));
    const errors = ids.flatMap((id, index) =>
      projects.some((project) => project.id === id)
        ? []
        : [{ pointer: `/project_ids/${index}`, detail: 'must be the ID of a project that you have access to' }],
    );
    if (errors.length > 0) {
      throw new ProblemError('invalid-body', 'One of the projects does not exist, or you do not have access to it.', {
        errors,
      });
    }
    const now = this.now();
    const schedules = await this.recipients.listZonedSchedules(projects.map(({ id }) => id));
    const dueAt = new Map([...schedules].map(([id, schedule]) => [id, new Date(getNextReportTime(schedule, now))]));
    await this.subscriptions.replace(principal.user!.id, dueAt);
    return this.loadSettings(principal.user!.id);
  }

  @Handle(showUnsubscription)
  async showUnsubscription({ params, reply }: RequestOf<typeof showUnsubscription>): Promise<void> {
    await reply.redirect(`/unsubscribe?${new URLSearchParams({ of: params.unsubscription })}`, 302);
  }

  @Handle(unsubscribe)
  async unsubscribe({ params }: RequestOf<typeof unsubscribe>): Promise<void> {
    // Also succeeds if the subscription no longer exists.
    if (isUuid(params.unsubscription)) await this.subscriptions.unsubscribe(params.unsubscription);
  }

  private async loadSettings(userId: string): Promise<ReportSettings> {
    return {
      can_send_mail: await this.mail.isAvailable(),
      project_ids: await this.subscriptions.listProjectIds(userId),
    };
  }
}
