import { Loader, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Project } from '../../../api/client.js';
import { rulesTrialQuery, type RulesSelection, type RulesTrial as Trial } from '../../../api/rules-queries.js';
import type { FilterSet } from '../../../filters/filter-set.js';
import { formatEstimate, formatCount, formatVisitCount } from '../../../format/count.js';
import { agentFilter, listLink } from '../../../range/list-link.js';
import { DataTable, type TableColumn } from '../../../ui/data-table.js';
import { Failure } from '../../../ui/failure.js';
import { Section } from '../../../ui/section.js';
import { TextLink } from '../../../ui/text-link.js';
import { toFilters } from '../../../filters/visit-filters.js';
import { effectText, literalPrefix } from './effect-text.js';

type Agent = Trial['top_agents'][number];

/** Maximum number of agents in a link. Some servers reject longer URLs. */
const MAX_LINKED_AGENTS = 20;

const createColumns = (project: Project, trial: Trial, disallow: string | undefined): readonly TableColumn<Agent>[] => [
  {
    key: 'agent',
    label: 'Agent',
    isHead: true,
    value: (agent) => agent.agent_token ?? agent.agent_id,
    cell: (agent) => (
      <>
        {agent.agent_token ?? 'No longer in the catalog'}
        {agent.is_user_triggered && (
          <Text size="xs" c="dimmed" fw={400}>
            on behalf of people
          </Text>
        )}
      </>
    ),
  },
  { key: 'operator', label: 'Operator', isOnlyExported: true, value: (agent) => agent.operator_name },
  {
    key: 'visits',
    label: 'Would be disallowed',
    isNumber: true,
    value: (agent) => agent.visits,
    cell: (agent) => (
      <TextLink {...visitsLink(project.id, trial, disallow)({ agent: [agentFilter(agent)] })} size="sm">
        {formatEstimate(agent.visits, trial.is_estimated)}
        <span className="unseen"> visits by {agent.agent_token} would be disallowed</span>
      </TextLink>
    ),
  },
  {
    key: 'disregarded',
    label: 'Already disallowed',
    isNumber: true,
    value: (agent) => agent.disregarded,
    cell: (agent) =>
      agent.disregarded === 0 ? (
        <Text span size="sm" c="dimmed">
          0
        </Text>
      ) : (
        <TextLink {...disregardedLink(project.id, trial, agent)} size="sm">
          {formatCount(agent.disregarded)}
          <span className="unseen"> visits by {agent.agent_token} were already disallowed</span>
        </TextLink>
      ),
  },
  {
    key: 'on_behalf_of_people',
    label: 'On behalf of people',
    isOnlyExported: true,
    value: (agent) => (agent.is_user_triggered ? 'yes' : 'no'),
  },
];

interface RulesTrialProps {
  project: Project;
  selection: RulesSelection;
}

/** Shows the effect that the rules would have had in the last 30 days, before they are saved or published. */
export function RulesTrial({ project, selection }: RulesTrialProps) {
  const trial = useQuery(rulesTrialQuery(project.id, selection));
  return (
    <Section
      title="Effect on the last 30 days"
      lead="These rules are tested on visits by the agents they name. The rest of your robots.txt is ignored, and visits that failed verification are excluded."
    >
      <div role="status" aria-busy={trial.isPlaceholderData}>
        {trial.isPending && <Loader size="sm" role="img" aria-label="Counting" />}
        {trial.data && <Summary projectId={project.id} trial={trial.data} disallow={selection.disallow} />}
      </div>
      {trial.isError && (
        <Failure error={trial.error} title="Couldn't calculate the effect" retry={() => void trial.refetch()} />
      )}
      {trial.data && trial.data.agents > 0 && <Agents {...{ project, selection }} trial={trial.data} />}
    </Section>
  );
}

interface SummaryProps {
  projectId: string;
  trial: Trial;
  disallow: string | undefined;
}

function Summary({ projectId, trial, disallow }: SummaryProps) {
  const { agents, top_agents: top, is_estimated: isEstimated, read_visits: read, unread_visits: unread } = trial;
  const number = trial.visits === 0 ? 'no' : formatEstimate(trial.visits, isEstimated);
  const visits = formatVisitCount(trial.visits, number);
  const { before, after } = effectText(trial);
  return (
    <>
      <Text size="sm" fw={500}>
        {before}
        {agents > 0 && agents <= MAX_LINKED_AGENTS ? (
          <TextLink {...visitsLink(projectId, trial, disallow)({ agent: top.map(agentFilter) })} size="sm">
            {visits}
          </TextLink>
        ) : (
          visits
        )}
        {after}
      </Text>
      {isEstimated && read !== null && (
        <Text size="sm">
          Estimated from {formatCount(read)} stored visits
          {unread > 0 && `; ${formatVisitCount(unread)} by agents not among them are excluded`}.
        </Text>
      )}
      {disallow !== undefined && /[*$]/.test(disallow) && agents > 0 && (
        <Text size="sm" c="dimmed">
          Links show all visits whose path starts with {literalPrefix(disallow)} because lists can’t filter by * and $.
        </Text>
      )}
    </>
  );
}

interface AgentsProps {
  project: Project;
  selection: RulesSelection;
  trial: Trial;
}

function Agents({ project, selection, trial }: AgentsProps) {
  const { agents, top_agents: top } = trial;
  return (
    <>
      <DataTable
        label="Agents the rules would disallow"
        columns={createColumns(project, trial, selection.disallow)}
        rows={top}
        rowKey={(agent) => agent.agent_id}
        initial="visits"
        owner={project.name}
        range={trial}
      />
      {agents > top.length && (
        <Text size="xs" c="dimmed">
          and {formatCount(agents - top.length)} more
        </Text>
      )}
    </>
  );
}

const NOT_SPOOFED: FilterSet = { not_result: ['verification_failed'] };

/**
 * Returns a function that links to the visits that the rules would have disallowed. Filters don't support * and $, so
 * the lists may contain more visits.
 */
const visitsLink =
  (projectId: string, { from, to }: Trial, disallow: string | undefined) =>
  (set: FilterSet) => {
    const path = literalPrefix(disallow ?? '/');
    const pathFilter: FilterSet = path === '/' ? { not_page: ['/robots.txt'] } : { path: [path] };
    return listLink(projectId, { from, to })(toFilters({ ...set, ...pathFilter, ...NOT_SPOOFED }));
  };

const disregardedLink = (projectId: string, { from, to }: Trial, agent: Agent) =>
  listLink(projectId, { from, to })(toFilters({ agent: [agentFilter(agent)], robots: ['disallowed'], ...NOT_SPOOFED }));
