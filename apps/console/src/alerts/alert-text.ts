import { alertKindInfo, type AlertKind } from '#libs/contracts';

/** What a sentence about an event needs. */
export interface Told {
  kind: AlertKind;
  /** Token of the agent, or the host. */
  subjectName: string | null;
  /** What the alert is about alone: an agent, a type or an operator. */
  scopeName: string | null;
  value: number;
  usual: number | null;
  windowMinutes: number;
}

const NUMBER = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const number = (value: number | null): string => NUMBER.format(value ?? 0);

/** "GPTBot was spoofed in 24 visits in the last hour." */
export function eventText({ kind, subjectName, scopeName, value, usual, windowMinutes }: Told): string {
  const { message, who, subject, test } = alertKindInfo(kind);
  const name = subject === 'none' ? (scopeName ?? who) : (subjectName ?? who);
  const what = message.replace('{value}', number(value)).replace('{usual}', number(usual));
  if (test === 'seen') return `${name} ${what}.`;
  // "… 12 visits in the last hour; 300 are usual."
  const [first, rest] = what.split(';');
  return `${name} ${first} in the last ${spanText(windowMinutes)}${rest === undefined ? '' : `;${rest}`}.`;
}

const spanText = (minutes: number): string => {
  if (minutes < 60) return `${minutes} minutes`;
  return minutes === 60 ? 'hour' : `${minutes / 60} hours`;
};
