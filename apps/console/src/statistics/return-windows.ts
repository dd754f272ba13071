import { MAX_RETURN_WINDOWS, MAX_RETURNS, type Return } from '#libs/contracts';
import { MAX_RETURN_IDS, type ReturnVisits, type ReturnWindow } from '#libs/visit-store';
import type { AgentNames } from './agent-names.repository.js';
import { getNetwork } from './network.js';

/** Visit after which the visitor may come back as someone else. */
interface RefusedVisit {
  /** Milliseconds since the epoch. */
  at: number;
  /** Null for unknown visitors, who have no name and are skipped. */
  agentId: string | null;
  /** See `toIdentity`. */
  identity: string;
  address: string | null;
}

interface ReturnWindows {
  windows: ReturnWindow[];
  /** Start of the time that the windows cover, or null if they cover all visits. */
  limitedFrom: number | null;
}

/**
 * Returns the times after agents were refused, by address and network. Times that overlap are joined, so each visit is
 * counted once.
 *
 * @param visits Newest first.
 * @param lengthMs Time after each visit.
 */
export function buildReturnWindows(visits: readonly RefusedVisit[], lengthMs: number): ReturnWindows {
  const windows: ReturnWindow[] = [];
  const latest = new Map<string, ReturnWindow>();
  for (const { at, agentId, identity, address } of visits) {
    const network = agentId === null ? null : getNetwork(address);
    if (network === null) continue;
    if (windows.length + 2 > MAX_RETURN_WINDOWS) return { windows, limitedFrom: at };
    for (const origin of [null, address]) {
      const key = `${identity} ${origin ?? network}`;
      const next = latest.get(key);
      if (next !== undefined && at + lengthMs >= next.start) {
        next.start = at;
        continue;
      }
      const window = { identity, network, address: origin, start: at, end: at + lengthMs };
      latest.set(key, window);
      windows.push(window);
    }
  }
  return { windows, limitedFrom: null };
}

/** Sums up visits under other identities, by the identity that was refused. */
export function groupReturns(
  windows: readonly ReturnWindow[],
  found: readonly ReturnVisits[],
  getNames: (agentId: string) => AgentNames,
): ReadonlyMap<string, Return[]> {
  const returns = new Map<string, Map<string, Return>>();
  const isFromAddress = ({ number }: ReturnVisits): boolean => windows[number - 1]!.address !== null;
  // Visits from the same address are the better examples, so they come first.
  for (const visits of [...found.filter(isFromAddress), ...found.filter((visits) => !isFromAddress(visits))]) {
    const { identity } = windows[visits.number - 1]!;
    const others = returns.get(identity) ?? new Map<string, Return>();
    returns.set(identity, others);
    const key = `${visits.agent_id} ${visits.is_spoofed}`;
    const sum = others.get(key) ?? createReturn(visits, getNames);
    others.set(key, sum);
    sum[isFromAddress(visits) ? 'address_visits' : 'network_visits'] += visits.visits;
    sum.first_at = new Date(Math.min(visits.first_at, Date.parse(sum.first_at))).toISOString();
    sum.visit_ids = [...new Set([...sum.visit_ids, ...visits.ids])].slice(0, MAX_RETURN_IDS);
  }
  const most = (one: Return, other: Return): number =>
    other.address_visits - one.address_visits || other.network_visits - one.network_visits;
  return new Map(
    [...returns].map(([identity, others]) => [identity, [...others.values()].toSorted(most).slice(0, MAX_RETURNS)]),
  );
}

function createReturn(
  { agent_id: id, is_spoofed, first_at }: ReturnVisits,
  getNames: (id: string) => AgentNames,
): Return {
  const { agent_token, agent_type_name, operator_name } = getNames(id ?? '');
  return {
    agent_id: id,
    agent_token,
    agent_type_name,
    operator_name,
    is_spoofed,
    address_visits: 0,
    network_visits: 0,
    first_at: new Date(first_at).toISOString(),
    visit_ids: [],
  };
}
