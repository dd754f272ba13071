import { useQuery } from '@tanstack/react-query';
import type { Project } from '../api/client.js';
import { referralsQuery, type Range, type Referrals } from '../api/statistics.js';
import { formatCount } from '../format/count.js';
import { toFilters } from '../filters/visit-filters.js';
import { listLink } from '../range/list-link.js';
import type { LinkedRange } from '../range/range.js';
import { TextLink } from '../ui/text-link.js';

export type PeopleSent = ReadonlyMap<string, { people: number; assistants: string[] }>;

/**
 * Returns the number of people that each operator's assistants sent, by operator. Omits operators without assistants.
 * `sent` is null if the numbers are unknown.
 */
export function usePeopleSent(projectId: string, { from, to }: Range): { sent: PeopleSent | null; isPending: boolean } {
  const { data, isPending } = useQuery(referralsQuery(projectId, { from, to, compareFrom: 'none' }));
  return { sent: data === undefined ? null : toPeopleSent(data), isPending };
}

const toPeopleSent = ({ operators, assistants }: Referrals): PeopleSent =>
  new Map(
    operators.map(({ operator_name: operator, referrals }) => [
      operator,
      {
        people: referrals,
        assistants: assistants.filter((one) => one.operator_name === operator).map(({ assistant }) => assistant),
      },
    ]),
  );

interface PeopleSentCountProps {
  project: Project;
  operator: string;
  sent: PeopleSent;
  linked: LinkedRange;
}

/** Number of people that an operator's assistants sent. Links to their visits if these are stored. */
export function PeopleSentCount({ project, operator, sent, linked }: PeopleSentCountProps) {
  const { people, assistants } = sent.get(operator) ?? { people: 0, assistants: [] };
  if (people === 0 || assistants.length === 0 || project.unknown_visitors === 'counted') return formatCount(people);
  return (
    <TextLink inherit {...listLink(project.id, linked)(toFilters({ assistant: assistants }))}>
      {formatCount(people)}
      <span className="unseen"> people sent by {operator}</span>
    </TextLink>
  );
}
