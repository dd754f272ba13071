import { Controller, Inject } from '@nestjs/common';
import { alertKindInfo, listNotifications, readNotifications, type NotificationList } from '#libs/contracts';
import { CLOCK, Handle, type Clock, type RequestOf } from '#libs/platform';
import { AlertsRepository, type AgentTokenLookup } from '../alerts.repository.js';
import { collectAgentIds, describeEvent } from '../alerts.service.js';
import { getEvidencePath } from './evidence-path.js';
import { NotificationsRepository, type NotifiedEvent } from './notifications.repository.js';

/** Serves the alerts that fired in a user's projects, for the bell in the dashboard. */
@Controller()
export class NotificationsController {
  constructor(
    private readonly notifications: NotificationsRepository,
    private readonly alerts: AlertsRepository,
    @Inject(CLOCK) private readonly now: Clock,
  ) {}

  @Handle(listNotifications)
  async list({ principal }: RequestOf<typeof listNotifications>): Promise<NotificationList> {
    const userId = principal.user!.id;
    const [events, unread] = await Promise.all([
      this.notifications.list(userId, this.now()),
      this.notifications.countUnread(userId, this.now()),
    ]);
    const rules = events.map(({ rule }) => rule);
    const getAgentToken = await this.alerts.loadAgentTokens(collectAgentIds(events, rules));
    return { unread, notifications: events.map((event) => toNotification(event, getAgentToken)) };
  }

  @Handle(readNotifications)
  async read({ principal, body }: RequestOf<typeof readNotifications>): Promise<void> {
    await this.notifications.markRead(principal.user!.id, body.ids ?? null, this.now());
  }
}

function toNotification(
  event: NotifiedEvent,
  getAgentToken: AgentTokenLookup,
): NotificationList['notifications'][number] {
  const { id, kind, rule } = event;
  return {
    id,
    project: { id: event.project_id, name: event.project_name },
    kind,
    label: alertKindInfo(kind).label,
    text: describeEvent(event, rule, getAgentToken).text,
    path: getEvidencePath(event, getAgentToken),
    fired_at: event.fired_at.toISOString(),
    is_firing: event.recovered_at === null,
    is_read: event.is_read,
  };
}
