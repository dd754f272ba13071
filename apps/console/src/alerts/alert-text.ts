import { alertKindInfo, type AlertKind } from '#libs/contracts';
import { spanText } from '#libs/contracts/span-text';

interface Told {
  kind: AlertKind;
  /** Token of the agent, or the host. */
  subjectName: string | null;
  /** Agent, type or operator that the alert is limited to. */
  scopeName: string | null;
  value: number;
  usual: number | null;
  windowMinutes: number;
}

const NUMBER = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const PLACE = /\{(value|usual)(?:\|(\w+)\|(\w+))?\}/g;

/** Fills in placeholders: `{value}`, or `{value|visit|visits}` with a singular and a plural. */
function filledIn(message: string, numbers: Record<'value' | 'usual', number | null>): string {
  return message.replaceAll(PLACE, (_, name: 'value' | 'usual', one?: string, many?: string) => {
    const number = NUMBER.format(numbers[name] ?? 0);
    return one === undefined ? number : `${number} ${number === '1' ? one : many}`;
  });
}

/** Describes an event: "GPTBot was spoofed in 24 visits in an hour." */
export function eventText({ kind, subjectName, scopeName, value, usual, windowMinutes }: Told): string {
  const { message, who, subject, test } = alertKindInfo(kind);
  const name = subject === 'none' ? (scopeName ?? who) : (subjectName ?? who);
  const what = filledIn(message, { value, usual });
  if (test === 'seen') return `${name} ${what}.`;
  // "… 12 visits in an hour; 300 are usual."
  const [first, rest] = what.split(';');
  return `${name} ${first} in ${spanText(windowMinutes)}${rest === undefined ? '' : `;${rest}`}.`;
}
