import { alertKindInfo, type AlertKind } from '#libs/contracts';
import { formatTimeSpan } from '#libs/contracts/time-span';

interface EventDetails {
  kind: AlertKind;
  /** Agent token or host name that the event is about. Null if the event is about the alert as a whole. */
  subjectName: string | null;
  /** Agent, agent type or operator that the alert is limited to. Null for all agents. */
  scopeName: string | null;
  value: number;
  usual: number | null;
  windowMinutes: number;
}

const NUMBER_FORMAT = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const PLACEHOLDER = /\{(value|usual)(?:\|(\w+)\|(\w+))?\}/g;

/** Replaces `{value}` with a number, and `{value|visit|visits}` with a number and the matching singular or plural. */
function fillPlaceholders(message: string, numbers: Record<'value' | 'usual', number | null>): string {
  return message.replaceAll(PLACEHOLDER, (_, name: 'value' | 'usual', one?: string, many?: string) => {
    const number = NUMBER_FORMAT.format(numbers[name] ?? 0);
    return one === undefined ? number : `${number} ${number === '1' ? one : many}`;
  });
}

/** Describes an event in one sentence, such as "GPTBot was spoofed in 24 visits in an hour." */
export function eventText({ kind, subjectName, scopeName, value, usual, windowMinutes }: EventDetails): string {
  const { message, who, subject, test } = alertKindInfo(kind);
  const name = subject === 'none' ? (scopeName ?? who) : (subjectName ?? who);
  const predicate = fillPlaceholders(message, { value, usual });
  if (test === 'seen') return `${name} ${predicate}.`;
  // Insert the time span before the comparison, as in "… 12 visits in an hour; usually 300."
  const [first, rest] = predicate.split(';');
  return `${name} ${first} in ${formatTimeSpan(windowMinutes)}${rest === undefined ? '' : `;${rest}`}.`;
}
