import { Controller, Inject } from '@nestjs/common';
import {
  addReportRecipient,
  changeReportSchedule,
  confirmReportRecipient,
  getProjectReport,
  isUuid,
  MAX_REPORT_RECIPIENTS,
  removeReportRecipient,
  sendReport,
  type ProjectReport,
  type ReportRecipient,
  type ReportSchedule,
  type SentReport,
} from '#libs/contracts';
import { CLOCK, Handle, invalidBody, notFound, ProblemError, type Clock, type RequestOf } from '#libs/platform';
import { MailSender } from '../alerts/channels/mail.sender.js';
import { isTimeZone } from '../projects/project-settings.js';
import { ProjectsRepository } from '../projects/projects.repository.js';
import { ReportBuilder } from './report-builder.service.js';
import { getNextReportTime, toRequestedPeriod } from './report-period.js';
import { ReportRecipientsRepository } from './report-recipients.repository.js';
import { SendReportService } from './send-report.service.js';

/** Serves the Reports page of a project. */
@Controller()
export class ProjectReportController {
  constructor(
    private readonly projects: ProjectsRepository,
    private readonly recipients: ReportRecipientsRepository,
    private readonly reports: ReportBuilder,
    private readonly sender: SendReportService,
    private readonly mail: MailSender,
    @Inject(CLOCK) private readonly now: Clock,
  ) {}

  @Handle(getProjectReport)
  async show({ params, query }: RequestOf<typeof getProjectReport>): Promise<ProjectReport> {
    const { id } = await this.projects.require(params.id);
    const [schedule, zoned, recipients] = await Promise.all([
      this.recipients.findSchedule(id),
      this.recipients.listZonedSchedules([id]),
      this.recipients.list(id, this.now()),
    ]);
    return {
      can_send_mail: await this.mail.isAvailable(),
      schedule,
      next_at: new Date(getNextReportTime(zoned.get(id)!, this.now())).toISOString(),
      recipients,
      report: await this.reports.build(id, zoned.get(id)!, toRequestedPeriod(query, this.now())),
    };
  }

  @Handle(changeReportSchedule)
  async changeSchedule({ params, body }: RequestOf<typeof changeReportSchedule>): Promise<ReportSchedule> {
    const { id, time_zone: projectZone } = await this.projects.require(params.id);
    if (body.time_zone !== null && !isTimeZone(body.time_zone)) {
      throw invalidBody('/time_zone', 'must be an IANA time zone, such as Europe/Berlin');
    }
    const zoned = { ...body, time_zone: body.time_zone ?? projectZone };
    await this.recipients.changeSchedule(id, body, new Date(getNextReportTime(zoned, this.now())));
    return this.recipients.findSchedule(id);
  }

  @Handle(sendReport)
  async send({ params, body, principal }: RequestOf<typeof sendReport>): Promise<SentReport> {
    const project = await this.projects.require(params.id);
    const { range, period: name = null } = body;
    const [from, to] = range === undefined ? [null, null] : [Date.parse(range.from), Date.parse(range.to)];
    const period = toRequestedPeriod({ period: name, from, to }, this.now());
    if (body.to === 'everyone') return this.sender.sendToEveryone(project, period);
    const { user } = principal;
    if (user === null) throw invalidBody('/to', 'must be "everyone", because an API key has no email address');
    return this.sender.sendToUser(project, user, period);
  }

  @Handle(addReportRecipient)
  async add({ params, body }: RequestOf<typeof addReportRecipient>): Promise<ReportRecipient> {
    const project = await this.projects.require(params.id);
    const address = body.address.toLowerCase();
    await this.sender.prepareConfirmation(project.id, address);
    const added = await this.recipients.add(project.id, address);
    if (added === 'exists') throw new ProblemError('conflict', `${address} is already a recipient.`);
    if (added === 'refused') {
      throw new ProblemError('conflict', `${address} unsubscribed from these reports and can't be added again.`);
    }
    if (added === 'full') {
      throw new ProblemError(
        'conflict',
        `A project can have at most ${MAX_REPORT_RECIPIENTS} recipients without an account. Remove one first.`,
      );
    }
    void this.sender.confirm(project, address, added);
    return { id: added.id, address, is_member: false, is_confirmed: false, delivery: null };
  }

  @Handle(removeReportRecipient)
  async remove({ params }: RequestOf<typeof removeReportRecipient>): Promise<void> {
    const { id } = await this.projects.require(params.id);
    if (!(await this.recipients.remove(id, params.recipientId))) throw notFound('recipient');
  }

  @Handle(confirmReportRecipient)
  async confirm({ params: { unsubscription } }: RequestOf<typeof confirmReportRecipient>): Promise<void> {
    if (!isUuid(unsubscription) || !(await this.recipients.confirm(unsubscription, this.now()))) {
      throw notFound('confirmation');
    }
  }
}
