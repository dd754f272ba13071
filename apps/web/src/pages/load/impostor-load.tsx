import { Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { AgentActions } from '../../actions/agent-actions.js';
import type { Project } from '../../api/client.js';
import { loadQuery, type Load, type LoadReport } from '../../api/load.js';
import { newsQuery, type NewsItem } from '../../api/statistics.js';
import type { RowLink } from '../../charts/bar-list.js';
import type { ChartTimes } from '../../charts/chart-times.js';
import { isFiltered, type FilterSet } from '../../filters/filter-set.js';
import { toFilters } from '../../filters/visit-filters.js';
import { formatPercent } from '../../format/change.js';
import { formatCount } from '../../format/count.js';
import { formatAmounts } from '../../load/load-text.js';
import { agentFilter, listLink } from '../../range/list-link.js';
import type { LinkedRange } from '../../range/range.js';
import type { ShownRange } from '../../range/use-range.js';
import { TextLink } from '../../ui/text-link.js';
import { MEASURES } from './measures.js';
import type { Measure } from './search.js';

type Impersonation = Extract<NewsItem, { kind: 'impersonation' }>;

/** Network that claimed to be several agents, with the load it caused. */
export interface Impostors {
  item: Impersonation;
  load: Load;
  visits: RowLink;
}

interface ImpostorsInput {
  projectId: string;
  shown: ShownRange;
  linked: LinkedRange;
  /** Filters selected by the user. The network is only searched for without any. */
  filters: FilterSet;
  /** Filters of the counted visits. */
  counted: FilterSet;
}

/** Returns the network that claimed to be agents most often, with its load. Null if there is none, or until it's known. */
export function useImpostors({ projectId, shown, linked, filters, counted }: ImpostorsInput): Impostors | null {
  const isSearched = !isFiltered(filters);
  const { data: news } = useQuery({ ...newsQuery(projectId, shown), enabled: isSearched });
  const found = news?.items.filter((item) => item.kind === 'impersonation') ?? [];
  const item = isSearched ? found.toSorted((one, other) => other.visits - one.visits)[0] : undefined;
  const set: FilterSet = {
    ...counted,
    address: [item?.network ?? ''],
    agent: (item?.agents ?? []).map(agentFilter),
  };
  const { data: report } = useQuery({
    ...loadQuery(projectId, shown, { by: 'agent', ...(set as object) }),
    enabled: item !== undefined,
  });
  if (item === undefined || report === undefined || report.total.requests === 0) return null;
  return { item, load: report.total, visits: listLink(projectId, linked)(toFilters(set)) };
}

interface ImpostorLoadProps {
  project: Project;
  report: LoadReport;
  measure: Measure;
  times: Omit<ChartTimes, 'bucket'>;
  mark: (text: string) => string;
  impostors: Impostors;
}

/** Sentence about a network that claimed to be agents, and its share of the load, with a button to block it. */
export function ImpostorLoad({ project, report, measure, times, mark, impostors }: ImpostorLoadProps) {
  const { item, load, visits } = impostors;
  const { network, agents } = item;
  const { label, value, format, isTiny } = MEASURES[measure];
  const amount = value(load, project) ?? 0;
  const share = formatPercent(amount / (value(report.total, project) ?? 1));
  const requests = `${mark(formatCount(load.requests))} ${load.requests === 1 ? 'request' : 'requests'}`;
  const of = label.toLowerCase();
  const part =
    measure === 'requests'
      ? ` (${share} of all)`
      : `, ${isTiny?.(amount, project) ? `${share} of the ${of}` : `${mark(format(amount, project))} of the ${of} (${share})`}`;
  return (
    <Group gap="sm" mt={6}>
      <span>
        {network} posed as {describeAgents(agents)}:{' '}
        <TextLink {...visits} inherit>
          {requests}
        </TextLink>
        {part}.
      </span>
      <AgentActions
        project={project}
        loadFinding={() =>
          Promise.resolve({
            title: `${network}: ${formatAmounts(load)}`,
            facts: [
              ['Network', network],
              ['Claimed to be', agents.map(({ agent_token: token }) => token).join(', ')],
            ],
            network,
            alertKind: 'spoofing',
            range: report,
            timeZone: times.timeZone,
            visits,
          })
        }
        requests={agents.map(({ agent_token, agent_type_name, operator_name }) => ({
          agent_token,
          agent_type_name,
          operator_name,
          network,
          results: ['verification_failed', 'not_verifiable'],
        }))}
        of={network}
        network={network}
        canBlock
        isCompact
      />
    </Group>
  );
}

function describeAgents(agents: Impersonation['agents']): string {
  const [first, second, ...others] = agents.map(({ agent_token: token }) => token ?? 'another agent');
  if (second === undefined) return first ?? 'known agents';
  return others.length === 0 ? `${first} and ${second}` : `${first}, ${second}, and ${others.length} more`;
}
