import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Agent } from '../api/catalog-queries.js';
import { ApiError, client, data, type Role, type Visit } from '../api/client.js';
import { visitQuery } from '../api/queries.js';
import type { AgentRow } from '../api/statistics.js';
import { formatVisitCount } from '../format/count.js';
import { agentLink, listLink } from '../range/list-link.js';
import { resolveRange } from '../range/range.js';
import { parseAddress, parseAgentCommand, findEntries, parseVisitId, type Entry } from './entries.js';

/** Maximum number of agents per section. */
const MAX_AGENTS = 5;
/** Maximum number of catalog agents to rank locally. The API sorts by name, not by relevance. */
const MAX_CANDIDATES = 50;
const MIN_QUERY_LENGTH = 2;
const HOUR_MS = 3_600_000;
/** Date range for agent and address searches, and for the links in their results. */
const SEARCH_RANGE = { range: '30d' } as const;

interface Scope {
  id: string;
  name: string;
  role?: Role | null;
}

interface PaletteSearchResult {
  /** Visit or address, if the entire text is a visit ID or an address. */
  meant: Entry[];
  agents: Entry[];
  isLoading: boolean;
  /** Error message if the text is a visit ID or an address without any results. */
  fault: string | null;
}

const linkTo = ({ to, params, search }: { to: string; params: object; search: object }) => ({
  to: to.replace(/\$(\w+)/g, (_, name: string) => (params as Record<string, string>)[name]!),
  search,
});

/** Searches for the visit, address or agents that match the text. @param scope Project to search in, if any. */
export function usePaletteSearch(text: string, scope: Scope | undefined): PaletteSearchResult {
  const lastMonth = resolveRange(SEARCH_RANGE, { now: Date.now(), timeZone: 'UTC' });
  const id = parseVisitId(text);
  const address = parseAddress(text);
  const command = scope === undefined || scope.role === 'viewer' ? null : parseAgentCommand(text);
  const name = command?.name ?? text;
  const search = id === null && address === null && name.length >= MIN_QUERY_LENGTH ? name : '';
  const visit = useQuery({ ...visitQuery(scope?.id ?? '', id ?? ''), enabled: id !== null && scope !== undefined });
  // Load both lists in a single query. Otherwise, the list that arrives last would shift the selected entry.
  const agents = useQuery({
    queryKey: ['found agents', scope?.id, search, command?.verb],
    queryFn: async (): Promise<Entry[]> => {
      const [visitingAgents, catalogAgents] = await Promise.all([
        scope &&
          data(
            client.GET('/api/projects/{id}/agents', {
              params: { path: { id: scope.id }, query: { ...lastMonth, search, limit: MAX_AGENTS } },
            }),
          ),
        data(client.GET('/api/agents', { params: { query: { search, limit: MAX_CANDIDATES } } })),
      ]);
      if (scope && command !== null) {
        const found = findEntries(catalogAgents.agents.map(catalogEntry), search).slice(0, MAX_AGENTS);
        const tokens = new Map(catalogAgents.agents.map((agent) => [`catalog ${agent.id}`, agent]));
        return found.map((entry) => actionEntry(tokens.get(entry.id)!, scope, command));
      }
      return [
        ...(scope && visitingAgents ? visitingAgents.agents.map((agent) => visitingEntry(agent, scope)) : []),
        ...findEntries(catalogAgents.agents.map(catalogEntry), search).slice(0, MAX_AGENTS),
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
    fault: getErrorMessage({ isMeant: id !== null || address !== null, scope, error: visit.error }),
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
  label: `Visits from ${address}`,
  description: `${scope.name}, last 30 days`,
  icon: 'address',
  ...linkTo(listLink(scope.id, SEARCH_RANGE)({ address })),
});

const visitingEntry = (
  { agent_id: id, agent_token: token, operator_name: operator, visits }: AgentRow,
  scope: Scope,
): Entry => ({
  id: `visiting ${id}`,
  section: 'Agents that visited',
  label: token ?? id,
  description: `${formatVisitCount(visits)} to ${scope.name} in 30 days`,
  icon: 'agents',
  mark: { name: token ?? '', operator },
  ...linkTo(agentLink(scope.id, id, SEARCH_RANGE)),
});

const ACTION_LABELS: Record<string, (name: string) => string> = {
  block: (name) => `Block ${name}…`,
  slow: (name) => `Slow down ${name}…`,
  alert: (name) => `Alert me about ${name}…`,
  copy: (name) => `Copy a summary of ${name}…`,
};

const actionEntry = (
  { id, token, operator }: Agent,
  scope: Scope,
  { action, verb }: NonNullable<ReturnType<typeof parseAgentCommand>>,
): Entry => {
  const { to, search } = linkTo(agentLink(scope.id, id, SEARCH_RANGE));
  return {
    id: `${verb} ${id}`,
    section: 'Actions',
    label: ACTION_LABELS[verb]!(token),
    description: scope.name,
    icon: 'block',
    mark: { name: token, operator },
    to,
    search: { ...search, action },
  };
};

const catalogEntry = ({ id, token, operator, type }: Agent): Entry => ({
  id: `catalog ${id}`,
  section: 'Catalog',
  label: token,
  description: [operator, type].filter(Boolean).join(', '),
  icon: 'catalog',
  mark: { name: token, operator },
  to: '/catalog',
  search: { agent: token },
});

function getErrorMessage({ isMeant, scope, error }: { isMeant: boolean; scope: Scope | undefined; error: unknown }) {
  if (isMeant && scope === undefined)
    return 'Open a project first. Visits and addresses can only be searched within a project.';
  if (error instanceof ApiError && error.status === 404) return `${scope?.name} has no visit with this ID.`;
  return error === null ? null : "Couldn't look up the visit. Try again.";
}
