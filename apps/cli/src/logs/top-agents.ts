import type { UserAgentCounts } from './user-agent-counts.js';

/** Items that the instance identifies in one request. */
const BATCH = 1_000;
/** User agents that are looked up; the most frequent ones. */
const LOOKED_UP = 5_000;

/** The fields of an answer of `POST /agent-identifications` that count here. */
export interface Identification {
  id?: string;
  agent_token?: string;
  agent_type_name?: string;
}

export interface LabelledCount {
  label: string;
  count: number;
}

/**
 * The agents that sent most of the counted visits. The instance is asked which agent each user agent names; that
 * says who the visitors claim to be, not whether it is true, which the timeline tells visit by visit.
 *
 * @param identify asks `POST /agent-identifications`.
 */
export async function topAgents(
  counts: UserAgentCounts,
  identify: (items: { id: string; request_headers: Record<string, string> }[]) => Promise<Identification[]>,
  limit: number,
): Promise<LabelledCount[]> {
  const userAgents = counts.top(LOOKED_UP).filter(({ userAgent }) => userAgent !== undefined);
  const byAgent = new Map<string, number>();
  for (let at = 0; at < userAgents.length; at += BATCH) {
    const batch = userAgents.slice(at, at + BATCH);
    const items = batch.map(({ userAgent = '' }, index) => ({
      id: String(index),
      request_headers: { 'user-agent': userAgent },
    }));
    for (const { id, agent_token: token, agent_type_name: type } of await identify(items)) {
      const label = token === undefined ? undefined : `${token}${type ? ` (${type})` : ''}`;
      const found = batch[Number(id)];
      if (label !== undefined && found) byAgent.set(label, (byAgent.get(label) ?? 0) + found.count);
    }
  }
  const known = [...byAgent].map(([label, count]) => ({ label, count })).sort((a, b) => b.count - a.count);
  const others = counts.total - known.reduce((sum, { count }) => sum + count, 0);
  return [
    ...known.slice(0, limit),
    ...restOf(known.slice(limit)),
    ...(others > 0 ? [{ label: 'no known agent', count: others }] : []),
  ];
}

function restOf(rest: LabelledCount[]): LabelledCount[] {
  if (rest.length === 0) return [];
  return [{ label: `${rest.length} other agents`, count: rest.reduce((sum, { count }) => sum + count, 0) }];
}
