import type { Overview } from '#libs/contracts';
import { formatChange } from '#libs/contracts/change';

const MAX_AGENTS = 3;
/** Smallest change in an agent's visits worth reporting. */
const MIN_DIFFERENCE = 5;

interface ReportedChange {
  text: string;
  url: string;
}

type ToPageUrl = (path: string, search?: Readonly<Record<string, string | readonly string[]>>) => string;

/**
 * Describes the most important changes in sentences: total visits, spoofed visits, and the top agents whose visits
 * changed most. Returns an empty list if there is nothing to compare with.
 */
export function listChanges(
  { current, previous, top_agents: agents }: Overview,
  toPageUrl: ToPageUrl,
): ReportedChange[] {
  if (previous.visits === 0 || current.agent_visits === 0) return [];
  const changes: ReportedChange[] = [
    {
      text: describeTotal(current.agent_visits, previous.agent_visits),
      url: toPageUrl('visits'),
    },
  ];
  const { verification_failed: spoofed } = current;
  if (spoofed > previous.verification_failed) {
    changes.push({
      text: `${formatVisits(spoofed)} failed verification, up from ${formatCount(previous.verification_failed)}.`,
      url: toPageUrl('verification'),
    });
  }
  const changed = agents
    .map((agent) => ({ ...agent, difference: agent.visits - agent.previous_visits }))
    .filter(({ difference }) => Math.abs(difference) >= MIN_DIFFERENCE)
    .toSorted((one, other) => Math.abs(other.difference) - Math.abs(one.difference))
    .slice(0, MAX_AGENTS);
  for (const { agent_id: id, agent_token: token, visits, previous_visits: before, difference } of changed) {
    const name = token ?? 'An agent that is no longer in the catalog';
    const text =
      before === 0
        ? `${name} made ${formatVisits(visits)}, and none in the period before.`
        : `${name} made ${formatCount(Math.abs(difference))} ${difference > 0 ? 'more' : 'fewer'} visits (${formatChange(visits, before)}).`;
    changes.push({ text, url: toPageUrl(`agents/${id}`) });
  }
  return changes;
}

function describeTotal(now: number, before: number): string {
  if (before === 0) return `Agents made ${formatVisits(now)}, and none in the period before.`;
  if (now === before) return `Agents made ${formatVisits(now)}, as many as in the period before.`;
  const direction = now > before ? 'rose' : 'fell';
  return `Agent visits ${direction} from ${formatCount(before)} to ${formatCount(now)} (${formatChange(now, before)}).`;
}

const formatCount = (value: number): string => value.toLocaleString('en-US');
const formatVisits = (value: number): string => `${formatCount(value)} ${value === 1 ? 'visit' : 'visits'}`;
