import { describeVisits, RESULTS } from '#libs/agents/vocabulary';
import type { ChangeCause } from './change-cause.schema.js';

/**
 * Describes what explains most of a change, as in "120 more from 203.0.113.0/24; most were not verifiable; mostly /blog/*".
 *
 * @param causes Null if they weren't determined.
 * @returns null if nothing explains most of it
 */
export function describeCauses(causes: readonly ChangeCause[] | null): string | null {
  if (causes === null) return null;
  const find = (dimension: ChangeCause['dimension']): ChangeCause | undefined =>
    causes.find((cause) => cause.dimension === dimension);
  const lead = find('network') ?? find('page') ?? find('status') ?? find('verdict');
  if (lead === undefined) return null;
  const verdict = lead.dimension === 'verdict' ? undefined : find('verdict');
  const details = (['page', 'status'] as const).map(find).filter((cause) => cause !== undefined && cause !== lead);
  const sentence = `${countText(lead)} ${(LEADS[lead.dimension] ?? LEADS['page']!)(lead.value)}`;
  return [
    sentence,
    ...(verdict === undefined
      ? []
      : [`most ${verdict.value === 'verification_failed' ? '' : 'were '}${verdictText(verdict.value)}`]),
    ...details.map((cause) => `mostly ${cause!.dimension === 'status' ? 'status ' : ''}${cause!.value}`),
  ].join('; ');
}

function countText({ visits, previous_visits: previous }: ChangeCause): string {
  if (previous === 0) return formatCount(visits);
  return `${formatCount(Math.abs(visits - previous))} ${visits > previous ? 'more' : 'fewer'}`;
}

const verdictText = (value: string): string => (value in RESULTS ? describeVisits(value) : value);

const LEADS: Record<string, (value: string) => string> = {
  network: (value) => `from ${value}`,
  page: (value) => `on ${value}`,
  status: (value) => `with status ${value}`,
  verdict: (value) => `visits ${value === 'verification_failed' ? '' : 'were '}${verdictText(value)}`,
};

const formatCount = (value: number): string => value.toLocaleString('en-US');
