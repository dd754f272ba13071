import { AgentActions } from '../../actions/agent-actions.js';
import { toUntrusted, type Finding } from '../../actions/finding.js';
import type { Project, Visit } from '../../api/client.js';
import { formatVisitCount } from '../../format/count.js';
import { listLink } from '../../range/list-link.js';
import type { ShownRange } from '../../range/use-range.js';
import { parseFilters, toTimelineQuery } from '../../filters/visit-filters.js';
import type { VisitsSearch } from './search.js';

interface ListActionsProps {
  project: Project;
  search: VisitsSearch;
  shown: ShownRange;
  /** First visit in the list. */
  first: Visit | undefined;
  /** Number of visits. Null or undefined if unknown. */
  total: number | null | undefined;
}

/** Actions for all listed visits, if they are by one agent or from one address or network. */
export function ListActions({ project, search, shown, first, total }: ListActionsProps) {
  const { agent, address, result } = search;
  if (first === undefined || (agent === undefined && address === undefined)) return null;
  const { agent_id: id, agent_token: token, agent_type_name: type } = first.identification;
  const name = agent === undefined ? address! : (token ?? agent);
  const finding: Finding = {
    title: `${total == null ? 'Visits' : formatVisitCount(total)} ${agent === undefined ? 'from' : 'by'} ${name}`,
    facts: [['Client address', address ?? '']],
    range: shown,
    timeZone: shown.timeZone,
    ...(agent !== undefined && id !== null && { agent: { id, token, type }, alertKind: 'spike' as const }),
    ...(address !== undefined && { network: address }),
    ...toUntrusted(result),
    visits: listLink(project.id, shown)({ ...parseFilters({ ...search }), visit: undefined }),
  };
  const results = toTimelineQuery(search).result ?? [];
  const canBlock =
    address !== undefined && results.length > 0 && results.every((one) => toUntrusted(one).result !== undefined);
  return (
    <AgentActions
      project={project}
      loadFinding={() => Promise.resolve(finding)}
      of={name}
      {...(canBlock && { canBlock, network: address, requests: [{ ...first.identification, network: address }] })}
    />
  );
}
