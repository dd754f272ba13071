import { ALERT_KINDS } from '#libs/contracts';
import type { AlertMessage } from './channels/alert-message.js';
import { alertsUrl } from './channels/deliveries.service.js';
import { toldOf } from './alerts.service.js';
import type { AnnouncedAlert, TokenOf } from './alerts.repository.js';
import type { AlertChangeEvent } from './evaluation.repository.js';

/** Maximum number of events per message. Keeps webhook bodies below 20 kB. */
const MAX_EVENTS = 20;

/** Creates up to two messages per alert: one for events that fired at `at`, one for events that recovered. */
export function messagesOf(
  events: readonly AlertChangeEvent[],
  rules: readonly AnnouncedAlert[],
  { at, publicUrl, tokenOf }: { at: Date; publicUrl: string; tokenOf: TokenOf },
): AlertMessage[] {
  const isFired = (event: AlertChangeEvent): boolean => event.fired_at.getTime() === at.getTime();
  return rules.flatMap((rule) =>
    (['alert.fired', 'alert.recovered'] as const).flatMap((type) => {
      const told = events.filter((event) => event.alert_id === rule.id && isFired(event) === (type === 'alert.fired'));
      return told.length === 0 ? [] : messageOf(type, rule, told, tokenOf, publicUrl);
    }),
  );
}

function messageOf(
  type: 'alert.fired' | 'alert.recovered',
  rule: AnnouncedAlert,
  events: readonly AlertChangeEvent[],
  tokenOf: TokenOf,
  publicUrl: string,
): AlertMessage {
  const { label } = ALERT_KINDS[rule.kind];
  const zone = rule.project_time_zone;
  const told = events.slice(0, MAX_EVENTS).map((event) => ({
    ...toldOf(event, event.rule, tokenOf),
    fired_at: event.fired_at.toISOString(),
    recovered_at: event.recovered_at?.toISOString() ?? null,
  }));
  const first = told[0]!.subject_name;
  const title = events.length === 1 && first !== null ? `${label}: ${first}` : label;
  const lines = told.map(({ text, fired_at: firedAt }) =>
    type === 'alert.fired' ? text : `Recovered. It had fired on ${timeText(firedAt, zone)} (${zone}): ${text}`,
  );
  return {
    type,
    project: { id: rule.project_id, name: rule.project_name },
    title: type === 'alert.fired' ? title : `Recovered: ${title}`,
    lines: events.length > MAX_EVENTS ? [...lines, `And ${events.length - MAX_EVENTS} more.`] : lines,
    url: alertsUrl(publicUrl, rule.project_id),
    alert: { id: rule.id, kind: rule.kind, label },
    events: told.map(({ subject, subject_name, value, usual, fired_at, recovered_at }) => ({
      subject,
      subject_name,
      value,
      usual,
      fired_at,
      recovered_at,
    })),
  };
}

/** Formats a time: "Nov 20, 10:15". */
const timeText = (time: string, timeZone: string): string =>
  new Intl.DateTimeFormat('en-US', {
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone,
  }).format(new Date(time));
