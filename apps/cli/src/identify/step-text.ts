import { styleText } from 'node:util';
import type { IpRangeStep, ReverseDnsStep, SignatureStep, VerificationStep } from '#libs/agents';
import { METHODS, describeReason, STEP_OUTCOMES, type VerificationMethod } from '#libs/agents/vocabulary';
import { localTime, escapeInvisible } from '../terminal-text.js';

const OUTCOME_STYLES = {
  passed: { mark: '✔', style: 'green' },
  failed: { mark: '✖', style: 'red' },
  inconclusive: { mark: '?', style: 'yellow' },
} as const;

/** Returns the display name of a method, or its raw name if this release doesn't know it. */
export const methodName = (method: VerificationMethod): string => METHODS[method] ?? escapeInvisible(method);

/** Returns the title of a step, such as `✔ signature: passed`. */
export function stepTitle({ method, outcome }: VerificationStep): string {
  const word = STEP_OUTCOMES[outcome] ?? 'inconclusive';
  const { mark, style } = OUTCOME_STYLES[word];
  return styleText(style, `${mark} ${methodName(method)}: ${word}`);
}

/** Labeled line of output. The label is empty for a step's reason. */
export type Fact = [name: string, text: string];

/** Returns the reason for a step's outcome, followed by the known details. */
export function stepFacts(step: VerificationStep, clientAddress: string | null, now: number): Fact[] {
  const facts =
    step.method === 'http_message_signature'
      ? signatureFacts(step, now)
      : step.method === 'ip_range'
        ? rangeFacts(step, now)
        : dnsFacts(step, clientAddress);
  const reasonFact: Fact = ['', describeReason(step.reason, step.method)];
  return [reasonFact, ...facts].map(([name, text]) => [name, escapeInvisible(text)]);
}

function signatureFacts(step: SignatureStep, now: number): Fact[] {
  const key = [step.key_id, step.algorithm && `(${step.algorithm})`].filter(Boolean).join(' ');
  return [
    ...optionalFact('label', step.label),
    ...optionalFact('signature-agent', step.signature_agent),
    ...optionalFact('directory', step.directory_url),
    ...optionalFact('of agent', step.agent_token),
    ...optionalFact('key', key || null),
    ...optionalFact('created', step.created && `${localTime(step.created)} (${formatRelativeTime(step.created, now)})`),
    ...optionalFact('expires', step.expires && `${localTime(step.expires)} (${formatRelativeTime(step.expires, now)})`),
    ...optionalFact('covers', step.covered_components.join(' ') || null),
  ];
}

function rangeFacts(step: IpRangeStep, now: number): Fact[] {
  const isFound = step.range !== null;
  return [
    ...optionalFact('range', step.range),
    ...optionalFact('list', step.list_url ?? (isFound ? 'the ranges in the catalog' : null)),
    ...optionalFact('as of', step.as_of && `${localTime(step.as_of)} (${formatRelativeTime(step.as_of, now)})`),
  ];
}

function dnsFacts(step: ReverseDnsStep, clientAddress: string | null): Fact[] {
  const address = clientAddress ?? 'address';
  const { confirmed_host_name: confirmed, host_names: names } = step;
  const others = names.filter((name) => name !== confirmed);
  return [
    ...optionalFact('PTR', confirmed && `${address} → ${confirmed}`),
    ...optionalFact('forward', confirmed && `${confirmed} → ${address}`),
    ...optionalFact(
      confirmed === null ? 'PTR' : 'also',
      others.length > 0 ? `${address} → ${others.join(', ')}` : null,
    ),
  ];
}

const optionalFact = (name: string, text: string | null): Fact[] => (text === null ? [] : [[name, text]]);

const UNITS = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
  [1_000, 'second'],
] as const;

/** Formats a time relative to now, such as `2 days ago` or `in 5 minutes`. */
export function formatRelativeTime(time: string, now: number): string {
  const difference = Date.parse(time) - now;
  if (Number.isNaN(difference)) return 'at an invalid time';
  // Switch to the larger unit at 99%, so 59.5 s is formatted as 1 minute.
  const [size, unit] = UNITS.find(([size]) => Math.abs(difference) >= 0.99 * size) ?? [];
  if (size === undefined) return 'now';
  const value = Math.round(Math.abs(difference) / size);
  const text = `${value} ${unit}${value === 1 ? '' : 's'}`;
  return difference > 0 ? `in ${text}` : `${text} ago`;
}
