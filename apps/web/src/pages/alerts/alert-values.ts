import { formatTimeSpan } from '#libs/contracts/time-span';
import type { Alert, AlertKind, NewAlert } from '../../api/alerts.js';

/** Alert form values. A cleared number field is an empty string. */
export interface AlertValues extends Record<string, unknown> {
  kind: NewAlert['kind'];
  /** `all`, or the agent, type or operator after its prefix, such as `type:AI Assistant`. */
  scope: string;
  threshold: number | string;
  minimum: number | string;
  window_minutes: string;
  cooldown_minutes: string;
  recovery_minutes: string;
  goes_to: 'all' | 'some';
  channel_ids: string[];
}

/** While a number is being typed, the field can contain text such as "." or "-". */
const validateNumber = (value: number | string): string | null =>
  value === '' || Number.isNaN(Number(value)) ? 'Enter a number.' : null;

export const alertValidators = {
  threshold: validateNumber,
  minimum: validateNumber,
  channel_ids: (ids: string[], { goes_to: goesTo }: AlertValues) =>
    goesTo === 'some' && ids.length === 0 ? 'Choose at least one channel.' : null,
};

/** Returns a hint about the input still missing for the preview, or null if the input is complete. */
export function getMissingInput(values: AlertValues): string | null {
  const fault = validateNumber(values.threshold) ?? validateNumber(values.minimum);
  return fault?.replace(/\.$/, ' to see the preview.') ?? null;
}

/**
 * Returns the options for a duration field.
 *
 * @param currentMinutes Selected value in minutes. It can be missing from `minutes`, because the API accepts more values than
 * the form offers.
 * @param zeroLabel Label for 0.
 */
export const toPeriodOptions = (minutes: readonly number[], currentMinutes: string, zeroLabel?: string) =>
  [...new Set([...minutes, Number(currentMinutes)])]
    .toSorted((one, two) => one - two)
    .map((periodMinutes) => ({
      value: String(periodMinutes),
      label: periodMinutes === 0 && zeroLabel !== undefined ? zeroLabel : formatTimeSpan(periodMinutes),
    }));

export const createDefaultValues = ({ kind, defaults }: AlertKind): AlertValues => ({
  kind,
  scope: 'all',
  threshold: defaults.threshold,
  minimum: defaults.minimum,
  window_minutes: String(defaults.window_minutes),
  cooldown_minutes: String(defaults.cooldown_minutes),
  recovery_minutes: String(defaults.recovery_minutes),
  goes_to: 'all',
  channel_ids: [],
});

function toScope({ agent_id: agent, agent_type: type, operator }: Alert): string {
  if (agent !== null) return `agent:${agent}`;
  if (type !== null) return `type:${type}`;
  return operator === null ? 'all' : `operator:${operator}`;
}

export const toAlertValues = (alert: Alert): AlertValues => ({
  kind: alert.kind,
  scope: toScope(alert),
  threshold: alert.threshold,
  minimum: alert.minimum,
  window_minutes: String(alert.window_minutes),
  cooldown_minutes: String(alert.cooldown_minutes),
  recovery_minutes: String(alert.recovery_minutes),
  goes_to: alert.channel_ids === null ? 'all' : 'some',
  channel_ids: alert.channel_ids ?? [],
});

export function toAlertBody(values: AlertValues, { scoped_label: scopedLabel }: AlertKind): NewAlert {
  const [prefix, name] = scopedLabel !== null ? splitScope(values.scope) : ['all', ''];
  return {
    kind: values.kind,
    agent_id: prefix === 'agent' ? name : null,
    agent_type: prefix === 'type' ? (name as NonNullable<NewAlert['agent_type']>) : null,
    operator: prefix === 'operator' ? name : null,
    threshold: Number(values.threshold),
    minimum: Number(values.minimum),
    window_minutes: Number(values.window_minutes) as NonNullable<NewAlert['window_minutes']>,
    cooldown_minutes: Number(values.cooldown_minutes),
    recovery_minutes: Number(values.recovery_minutes),
    channel_ids: values.goes_to === 'some' && values.channel_ids.length > 0 ? values.channel_ids : null,
  };
}

function splitScope(scope: string): [prefix: string, name: string] {
  const end = scope.indexOf(':');
  return end === -1 ? [scope, ''] : [scope.slice(0, end), scope.slice(end + 1)];
}
