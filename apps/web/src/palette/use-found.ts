import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Agent } from '../api/catalog-queries.js';
import { ApiError, client, data, type Visit } from '../api/client.js';
import { visitQuery } from '../api/queries.js';
import type { AgentRow } from '../api/statistics.js';
import { visitsText } from '../format/count.js';
import { agentLink, listLink } from '../range/list-link.js';
import { resolveRange } from '../range/range.js';
import { addressIn, findEntries, visitId, type Entry } from './entries.js';

/** Maximum number of agents per section. */
const MAX_AGENTS = 5;
/** Maximum number of catalog agents to choose from. The API sorts by name, not by relevance. */
const MAX_CANDIDATES = 50;
const MIN_LETTERS = 2;
const HOUR_MS = 3_600_000;
/** Range for searches by agent and address. Their links use it, too. */
const RANGE = { range: '30d' } as const;

interface Scope {
  id: string;
  name: string;
}

interface Found {
  /** Visit or address identified by the entire text. */
  meant: Entry[];
  agents: Entry[];
  isLoading: boolean;
  /** Message for a visit ID or address that yields no result. */
  fault: string | null;
}

const linkTo = ({ to, params, search }: { to: string; params: object; search: object }) => ({
  to: to.replace(/\$(\w+)/g, (_, name: string) => (params as Record<string, string>)[name]!),
  search,
});

/** Searches for the visit, address or agents that a text may mean. @param scope Project to search, if any. */
export function useFound(text: string, scope: Scope | undefined): Found {
  const month = resolveRange(RANGE, { now: Date.now(), timeZone: 'UTC' });
  const id = visitId(text);
  const address = addressIn(text);
  const search = id === null && address === null && text.length >= MIN_LETTERS ? text : '';
  const visit = useQuery({ ...visitQuery(scope?.id ?? '', id ?? ''), enabled: id !== null && scope !== undefined });
  // One query for both lists: a late response would move the selected entry.
  const agents = useQuery({
    queryKey: ['found agents', scope?.id, search],
    queryFn: async (): Promise<Entry[]> => {
      const [visiting, known] = await Promise.all([
        scope &&
          data(
            client.GET('/api/projects/{id}/agents', {
              params: { path: { id: scope.id }, query: { ...month, search, limit: MAX_AGENTS } },
            }),
          ),
        data(client.GET('/api/agents', { params: { query: { search, limit: MAX_CANDIDATES } } })),
      ]);
      return [
        ...(scope && visiting ? visiting.agents.map((agent) => visitingEntry(agent, scope)) : []),
        ...findEntries(known.agents.map(catalogEntry), search).slice(0, MAX_AGENTS),
      ];
    },
    enabled: search !== '',
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
  return {
    meant: [
      ...(visit.data && scope ? [visitEntry(visit.data, scope)] : []),
      ...(address !== null && scope ? [addressEntry(address, scope)] : []),
    ],
    agents: search === '' ? [] : (agents.data ?? []),
    isLoading: visit.isLoading || agents.isFetching,
    fault: faultOf({ isMeant: id !== null || address !== null, scope, error: visit.error }),
  };
}

function visitEntry({ id, occurred_at: at, visit, identification }: Visit, scope: Scope): Entry {
  const time = Date.parse(at);
  const around = { from: new Date(time - HOUR_MS).toISOString(), to: new Date(time + HOUR_MS).toISOString() };
  return {
    id: 'visit',
    section: 'Visit',
    label: `${identification.agent_token ?? 'Unknown agent'}: ${visit.request_method} ${visit.request_path}`,
    description: scope.name,
    icon: 'live',
    ...linkTo(listLink(scope.id, around)({ visit: id })),
  };
}

const addressEntry = (address: string, scope: Scope): Entry => ({
  id: 'address',
  section: 'Address',
  label: `Visits of ${address}`,
  description: `${scope.name}, last 30 days`,
  icon: 'address',
  ...linkTo(listLink(scope.id, RANGE)({ address })),
});

const visitingEntry = ({ agent_id: id, agent_token: token, visits }: AgentRow, scope: Scope): Entry => ({
  id: `visiting ${id}`,
  section: 'Agents that visited',
  label: token ?? id,
  description: `${visitsText(visits)} to ${scope.name} in 30 days`,
  icon: 'agents',
  ...linkTo(agentLink(scope.id, id, RANGE)),
});

const catalogEntry = ({ id, token, operator, type }: Agent): Entry => ({
  id: `catalog ${id}`,
  section: 'Catalog',
  label: token,
  description: [operator, type].filter(Boolean).join(', '),
  icon: 'catalog',
  to: '/catalog',
  search: { agent: token },
});

function faultOf({ isMeant, scope, error }: { isMeant: boolean; scope: Scope | undefined; error: unknown }) {
  if (isMeant && scope === undefined)
    return 'Open a project first: visits and addresses are looked for in one project.';
  if (error instanceof ApiError && error.status === 404) return `${scope?.name} has no visit with this ID.`;
  return error === null ? null : 'The visit could not be looked up. Try again.';
}
