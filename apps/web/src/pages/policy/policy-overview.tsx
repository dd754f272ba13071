import { Button, Skeleton } from '@mantine/core';
import { useMemo } from 'react';
import type { PolicyRule } from '../../api/policy.js';
import { formatCount } from '../../format/count.js';
import { Answer } from '../../ui/answer.js';
import { AnswerSkeleton } from '../../ui/answer-skeleton.js';
import { CardSkeleton } from '../../ui/card-skeleton.js';
import { AGENT_TYPES } from '../../ui/agent-types.js';
import { Failure } from '../../ui/failure.js';
import { Listing } from '../../ui/listing.js';
import { Section } from '../../ui/section.js';
import { TextLink } from '../../ui/text-link.js';
import { createChoice, type Choices, type SitePolicy } from '../../rules/controls.js';
import { PolicyTable } from './policy-table.js';
import { createRows, findNetworkBlocks, type IgnoringAgent, type PolicyRow } from './policy-rows.js';
import { countJudged } from '../../rules/judged-visits.js';
import { DAYS, useRecentAgents } from '../../rules/recent-agents.js';
import { ResponseBar } from './response-bar.js';

interface PolicyOverviewProps {
  projectId: string;
  policy: SitePolicy;
  choices: Choices;
  isReader: boolean;
  /** True if some changes aren't published. */
  hasChanges: boolean;
  onChoices: (choices: Choices) => void;
  /** Shows what the choices change. */
  onReview: () => void;
  onAdd: () => void;
  onEdit: (rule: PolicyRule) => void;
}

/** Number of blocked networks named. */
const MAX_BLOCKS = 3;

const isAsked = ({ control, choice }: PolicyRow): boolean => (choice?.action ?? control).kind === 'ask';

/** Table of agent types with their visits, the site's response and conflicts with agents. */
export function PolicyOverview(props: PolicyOverviewProps) {
  const { projectId, policy, choices, isReader, hasChanges, onChoices, onReview, onAdd, onEdit } = props;
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
      {table === null && !query.isError && <PolicySkeleton />}
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
                <TextLink to="/projects/$projectId/robots" params={{ projectId }} search={{ view: 'proxy' }} inherit>
                  Your proxy
                </TextLink>{' '}
                enforces limits, prices, and blocks.
                {disallow !== undefined && disallow !== '/' && ` robots.txt only disallows ${disallow || 'nothing'}.`}
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
              hasChanges={hasChanges}
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

/** Placeholder in the shape of the page. */
export const PolicySkeleton = () => (
  <>
    <AnswerSkeleton />
    <Skeleton h={68} animate={false} />
    <CardSkeleton rows={12} />
  </>
);

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
  const blocks = findNetworkBlocks(rules).flatMap(({ id, visitors }) =>
    (visitors?.networks ?? []).map((network) => ({ id, network })),
  );
  return (
    <>
      <Answer>
        {blocks.length > 0 && (
          <>
            <Listing
              limit={MAX_BLOCKS}
              items={blocks.map(({ id, network }) => ({
                key: `${id} ${network}`,
                content: (
                  <TextLink to="/projects/$projectId/policy/rules/$ruleId" params={{ projectId, ruleId: id }} inherit>
                    {network}
                  </TextLink>
                ),
              }))}
            />{' '}
            {blocks.length === 1 ? 'is' : 'are'} blocked.{' '}
          </>
        )}
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
            of {formatCount(crawlers.length)} crawlers ignored robots.txt in the last {DAYS} days
            {blocked > 0 && `, and ${formatCount(blocked)} kept requesting pages after a block`}.
          </>
        )}
      </Answer>
      <ResponseBar projectId={projectId} />
    </>
  );
}
