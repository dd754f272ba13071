import { styleText } from 'node:util';
import type { IpRangeStep, ReverseDnsStep, SignatureStep, VerificationStep } from '#libs/agents';
import { METHODS, reasonSentence, STEP_OUTCOMES, type VerificationMethod } from '#libs/agents/vocabulary';
import { localTime, visible } from '../terminal-text.js';

const LOOKS = {
  passed: { mark: '✔', style: 'green' },
  failed: { mark: '✖', style: 'red' },
  inconclusive: { mark: '?', style: 'yellow' },
} as const;

/** Returns the display name of a method. Methods that this release doesn't know keep their raw name. */
export const methodName = (method: VerificationMethod): string => METHODS[method] ?? visible(method);

/** Returns the title of a step, e.g. `✔ signature: passed`. */
export function stepTitle({ method, outcome }: VerificationStep): string {
  const word = STEP_OUTCOMES[outcome] ?? 'inconclusive';
  const { mark, style } = LOOKS[word];
  return styleText(style, `${mark} ${methodName(method)}: ${word}`);
}

/** Name and text. Only the reason of a step has no name. */
export type Fact = [name: string, text: string];

/** Returns the reason for the outcome, followed by the known details. */
export function stepFacts(step: VerificationStep, clientAddress: string | null, now: number): Fact[] {
  const facts =
    step.method === 'http_message_signature'
      ? signatureFacts(step, now)
      : step.method === 'ip_range'
        ? rangeFacts(step, now)
        : dnsFacts(step, clientAddress);
  const why: Fact = ['', reasonSentence(step.reason, step.method)];
  return [why, ...facts].map(([name, text]) => [name, visible(text)]);
}

function signatureFacts(step: SignatureStep, now: number): Fact[] {
  const key = [step.key_id, step.algorithm && `(${step.algorithm})`].filter(Boolean).join(' ');
  return [
    ...known('label', step.label),
    ...known('signature-agent', step.signature_agent),
    ...known('directory', step.directory_url),
    ...known('of agent', step.agent_token),
    ...known('key', key || null),
    ...known('created', step.created && `${localTime(step.created)} (${distance(step.created, now)})`),
    ...known('expires', step.expires && `${localTime(step.expires)} (${distance(step.expires, now)})`),
    ...known('covers', step.covered_components.join(' ') || null),
  ];
}

function rangeFacts(step: IpRangeStep, now: number): Fact[] {
  const isFound = step.range !== null;
  return [
    ...known('range', step.range),
    ...known('list', step.list_url ?? (isFound ? 'the ranges in the catalog' : null)),
    ...known('as of', step.as_of && `${localTime(step.as_of)} (${distance(step.as_of, now)})`),
  ];
}

function dnsFacts(step: ReverseDnsStep, clientAddress: string | null): Fact[] {
  const address = clientAddress ?? 'address';
  const { confirmed_host_name: confirmed, host_names: names } = step;
  const others = names.filter((name) => name !== confirmed);
  return [
    ...known('PTR', confirmed && `${address} → ${confirmed}`),
    ...known('forward', confirmed && `${confirmed} → ${address}`),
    ...known(confirmed === null ? 'PTR' : 'also', others.length > 0 ? `${address} → ${others.join(', ')}` : null),
  ];
}

const known = (name: string, text: string | null): Fact[] => (text === null ? [] : [[name, text]]);

const UNITS = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
  [1_000, 'second'],
] as const;

/** Formats a time relative to now, e.g. `2 days ago` or `in 5 minutes`. */
export function distance(time: string, now: number): string {
  const difference = Date.parse(time) - now;
  if (Number.isNaN(difference)) return 'at an unreadable time';
  // Uses the larger unit from 99 % of it, e.g. 1 minute for 59.5 s.
  const [size, unit] = UNITS.find(([size]) => Math.abs(difference) >= 0.99 * size) ?? [];
  if (size === undefined) return 'now';
  const value = Math.round(Math.abs(difference) / size);
  const text = `${value} ${unit}${value === 1 ? '' : 's'}`;
  return difference > 0 ? `in ${text}` : `${text} ago`;
}
