import { ALERT_KINDS, getAlertName } from '#libs/contracts';
import type { AlertMessage } from './channels/alert-message.js';
import { alertsUrl } from './channels/deliveries.service.js';
import { describeEvent } from './alerts.service.js';
import type { AnnouncedAlert, AgentTokenLookup } from './alerts.repository.js';
import type { AlertChangeEvent } from './evaluation.repository.js';

/** Maximum number of events per message. Limits webhook bodies to about 20 kB. */
const MAX_EVENTS = 20;

/**
 * Builds the messages for all alerts. Each alert gets up to two: one for events that fired at `at`, one for those that
 * recovered.
 */
export function buildMessages(
  events: readonly AlertChangeEvent[],
  rules: readonly AnnouncedAlert[],
  { at, publicUrl, tokenOf }: { at: Date; publicUrl: string; tokenOf: AgentTokenLookup },
): AlertMessage[] {
  const isFired = (event: AlertChangeEvent): boolean => event.fired_at.getTime() === at.getTime();
  return rules.flatMap((rule) =>
    (['alert.fired', 'alert.recovered'] as const).flatMap((type) => {
      const alertEvents = events.filter(
        (event) => event.alert_id === rule.id && isFired(event) === (type === 'alert.fired'),
      );
      return alertEvents.length === 0 ? [] : buildMessage(type, rule, alertEvents, tokenOf, publicUrl);
    }),
  );
}

function buildMessage(
  type: 'alert.fired' | 'alert.recovered',
  rule: AnnouncedAlert,
  events: readonly AlertChangeEvent[],
  tokenOf: AgentTokenLookup,
  publicUrl: string,
): AlertMessage {
  const { label } = ALERT_KINDS[rule.kind];
  const zone = rule.project_time_zone;
  const alertEvents = events.slice(0, MAX_EVENTS).map((event) => ({
    ...describeEvent(event, event.rule, tokenOf),
    fired_at: event.fired_at.toISOString(),
    recovered_at: event.recovered_at?.toISOString() ?? null,
  }));
  const first = alertEvents[0]!.subject_name;
  const title = getAlertName(rule.kind, events.length === 1 ? first : null);
  const lines = alertEvents.map(({ text, fired_at: firedAt }) =>
    type === 'alert.fired' ? text : `Recovered. The alert fired on ${formatTime(firedAt, zone)} (${zone}): ${text}`,
  );
  return {
    type,
    project: { id: rule.project_id, name: rule.project_name },
    title: type === 'alert.fired' ? title : `Recovered: ${title}`,
    lines: events.length > MAX_EVENTS ? [...lines, `And ${events.length - MAX_EVENTS} more events.`] : lines,
    url: alertsUrl(publicUrl, rule.project_id),
    alert: { id: rule.id, kind: rule.kind, label },
    events: alertEvents.map(({ subject, subject_name, value, usual, fired_at, recovered_at }) => ({
      subject,
      subject_name,
      value,
      usual,
      fired_at,
      recovered_at,
    })),
  };
}

const formatTime = (time: string, timeZone: string): string =>
  new Intl.DateTimeFormat('en-US', {
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone,
  }).format(new Date(time));
