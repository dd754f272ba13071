import { Button, Skeleton } from '@mantine/core';
import { useMemo } from 'react';
import type { PolicyRule } from '../../api/policy.js';
import { formatCount } from '../../format/count.js';
import { Answer } from '../../ui/answer.js';
import { AGENT_TYPES } from '../../ui/agent-types.js';
import { Failure } from '../../ui/failure.js';
import { Section } from '../../ui/section.js';
import { TextLink } from '../../ui/text-link.js';
import { listNames } from '../../rules/rule-text.js';
import { createChoice, type Choices, type SitePolicy } from '../../rules/controls.js';
import { PolicyTable } from './policy-table.js';
import { createRows, findBlockedNetworks, type IgnoringAgent, type PolicyRow } from './policy-rows.js';
import { countJudged } from '../../rules/judged-visits.js';
import { DAYS, useRecentAgents } from '../../rules/recent-agents.js';
import { ResponseBar } from './response-bar.js';

interface PolicyOverviewProps {
  projectId: string;
  policy: SitePolicy;
  choices: Choices;
  isReader: boolean;
  onChoices: (choices: Choices) => void;
  /** Shows what the choices change. */
  onReview: () => void;
  onAdd: () => void;
  onEdit: (rule: PolicyRule) => void;
}

const isAsked = ({ control, choice }: PolicyRow): boolean => (choice?.action ?? control).kind === 'ask';

/** Table of agent types with their visits, the site's response and conflicts with agents. */
export function PolicyOverview(props: PolicyOverviewProps) {
  const { projectId, policy, choices, isReader, onChoices, onReview, onAdd, onEdit } = props;
  const { range, query } = useRecentAgents(projectId);
  const table = useMemo(
    () => (query.data === undefined ? null : createRows(AGENT_TYPES, query.data.agents, policy, choices)),
    [query.data, policy, choices],
  );
  const { disallow, agent_behaviors: behaviors = [] } = policy.selection;
  return (
    <>
      {query.isError && (
        <Failure title="Couldn't count the visits" error={query.error} retry={() => void query.refetch()} />
      )}
      {query.isPending && <Skeleton h={480} radius="md" animate={false} />}
      {table !== null && (
        <>
          <Summary projectId={projectId} rows={table.rows} rules={policy.rules} />
          <Section
            title="Agents"
            lead={
              <>
                {table.rows.some(isAsked) && (
                  <>
                    “Ask not to visit” is a request in{' '}
                    <TextLink to="/projects/$projectId/robots" params={{ projectId }} inherit>
                      robots.txt
                    </TextLink>
                    .{' '}
                  </>
                )}
                Limits, prices, and blocks are enforced at{' '}
                <TextLink to="/projects/$projectId/robots" params={{ projectId }} search={{ view: 'proxy' }} inherit>
                  your proxy
                </TextLink>
                .{disallow !== undefined && disallow !== '/' && ` robots.txt only disallows ${disallow || 'nothing'}.`}
                {behaviors.length > 0 && ' robots.txt also disallows agents of other types by their behavior.'}
              </>
            }
            actions={
              !isReader && (
                <Button size="compact-sm" variant="default" onClick={onAdd}>
                  Add exception
                </Button>
              )
            }
          >
            <PolicyTable
              projectId={projectId}
              range={range}
              {...table}
              isReader={isReader}
              onChoice={(type, choice) => {
                const { [type]: _, ...rest } = choices;
                onChoices(choice === undefined ? rest : { ...rest, [type]: choice });
              }}
              onLive={({ type, control: { action } }) => {
                if (action === null || action.kind === 'redirect') return;
                onChoices({ ...choices, [type]: { ...createChoice(action), mode: 'live' } });
                onReview();
              }}
              onEdit={onEdit}
            />
          </Section>
        </>
      )}
    </>
  );
}

interface SummaryProps {
  projectId: string;
  rows: readonly PolicyRow[];
  rules: readonly PolicyRule[];
}

function Summary({ projectId, rows, rules }: SummaryProps) {
  const agents = rows.flatMap((row) => row.agents.map(({ agent }) => agent));
  const crawlers = agents.filter((agent) => !agent.is_user_triggered && countJudged(agent) > 0);
  if (agents.length === 0) return <Answer>No agents visited in the last {DAYS} days.</Answer>;
  const count = (reason: IgnoringAgent['reason']): number =>
    rows.reduce((sum, row) => sum + row.ignoring.filter((one) => one.reason === reason).length, 0);
  const [ignoring, blocked] = [count('disallowed'), count('blocked')];
  const networks = findBlockedNetworks(rules);
  return (
    <>
      <Answer>
        {crawlers.length === 0 ? (
          `No visits by crawlers in the last ${DAYS} days could be checked against robots.txt.`
        ) : (
          <>
            {ignoring === 0 ? (
              'None'
            ) : (
              <TextLink to="/projects/$projectId/compliance" params={{ projectId }} search={{ range: '30d' }} inherit>
                {formatCount(ignoring)}
              </TextLink>
            )}{' '}
            of {formatCount(crawlers.length)} crawlers that visited in the last {DAYS} days ignored robots.txt.
          </>
        )}
        {blocked > 0 && ` ${formatCount(blocked)} kept requesting pages after a block.`}
        {networks.length > 0 && ` Live rules block ${listNames(networks)}.`}
      </Answer>
      <ResponseBar projectId={projectId} />
    </>
  );
}
