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
const PLACEHOLDER = /\{(name|window|value|usual)(?:\|(\w+)\|(\w+))?\}/g;

/** Describes an event in one sentence, such as "24 visits in an hour claimed to be GPTBot, but failed verification." */
export function eventText({ kind, subjectName, scopeName, value, usual, windowMinutes }: EventDetails): string {
  const { message, who, subject } = alertKindInfo(kind);
  const texts: Record<string, string> = {
    name: (subject === 'none' ? scopeName : subjectName) ?? who,
    window: formatTimeSpan(windowMinutes),
    value: NUMBER_FORMAT.format(value),
    usual: NUMBER_FORMAT.format(usual ?? 0),
  };
  return message.replaceAll(PLACEHOLDER, (_, placeholder: string, one?: string, many?: string) => {
    const text = texts[placeholder]!;
    return one === undefined ? text : `${text} ${text === '1' ? one : many}`;
  });
}
