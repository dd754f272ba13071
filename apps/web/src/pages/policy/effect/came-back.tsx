import { Text } from '@mantine/core';
import type { EffectAgent, PolicyEffect } from '../../../api/policy-effect.js';
import { formatPercent } from '../../../format/change.js';
import { formatCount } from '../../../format/count.js';
import { formatDuration } from '../../../format/duration.js';
import { MarkedName } from '../../../ui/agent-mark.js';
import { DataTable, type TableColumn } from '../../../ui/data-table.js';
import { agentFilter, agentLink } from '../../../range/list-link.js';
import { TextLink } from '../../../ui/text-link.js';
import classes from './effect.module.css';
import { labelTurnedAway, outcomeLink, TURNED_AWAY } from '../../../rules/outcomes.js';

type CameBack = PolicyEffect['came_back'];

const PARTS = [
  { key: 'inside_retry_after', label: 'Came back too early', color: 'var(--bar-failed)' },
  { key: 'without_retry_after', label: 'Came back', color: 'var(--bar-open)' },
  { key: 'after_retry_after', label: 'Waited as asked', color: 'var(--bar-verified)' },
  { key: 'not_again', label: 'Didn’t come back', color: 'var(--kind-unknown)' },
] as const;

interface CameBackProps {
  projectId: string;
  effect: PolicyEffect;
}

/** Visitors that a rule turned away, and what they did next. */
export function CameBackTable({ projectId, effect }: CameBackProps) {
  const link = outcomeLink(projectId, effect);
  const turnedAway = labelTurnedAway(effect);
  const parts = PARTS.filter(({ key }) => effect.came_back[key] > 0);
  const columns: readonly TableColumn<EffectAgent>[] = [
    {
      key: 'visitor',
      label: 'Visitor',
      isHead: true,
      cell: (agent) => <Visitor projectId={projectId} agent={agent} range={effect} />,
    },
    {
      key: 'requests',
      label: turnedAway,
      isNumber: true,
      value: ({ came_back: cameBack }) => cameBack.requests,
      cell: (agent) => (
        <TextLink {...link(TURNED_AWAY, 'live', toAgentFilter(agent))} size="sm">
          {formatCount(agent.came_back.requests)}
          <span className="unseen"> requests by {describeVisitor(agent)}</span>
        </TextLink>
      ),
      narrow: { after: ` ${turnedAway.toLowerCase()}` },
    },
    {
      key: 'next',
      label: 'What followed',
      cell: ({ came_back: cameBack }) => <NextRequests cameBack={cameBack} />,
    },
    {
      key: 'wait',
      label: 'Median wait',
      isNumber: true,
      value: ({ came_back: cameBack }) => cameBack.median_seconds,
      cell: ({ came_back: { median_seconds: seconds } }) => (seconds === null ? '–' : formatDuration(seconds * 1_000)),
      narrow: { before: 'after ' },
    },
    {
      key: 'visits',
      label: 'Soonest return',
      cell: (agent) => <VisitLink projectId={projectId} ids={agent.visit_ids} of={describeVisitor(agent)} />,
    },
  ];
  return (
    <>
      {parts.length > 1 && (
        <ul className={classes['keys']} aria-label="What followed">
          {parts.map(({ key, label, color }) => (
            <li key={key}>
              <span className={classes['key']} style={{ background: color }} aria-hidden="true" />
              {label} ({formatCount(effect.came_back[key])})
            </li>
          ))}
        </ul>
      )}
      <DataTable
        label="Visitors that came back"
        initial="requests"
        columns={columns}
        rows={effect.agents}
        rowKey={(agent) => `${agent.agent_id} ${agent.is_spoofed}`}
        pageSize={10}
        phone={['visitor requests', 'next wait']}
      />
      {effect.agents_total > effect.agents.length && (
        <Text size="sm" c="dimmed">
          {formatCount(effect.agents_total - effect.agents.length)} more visitors with fewer requests aren’t listed.
        </Text>
      )}
    </>
  );
}

function NextRequests({ cameBack }: { cameBack: CameBack }) {
  const parts = PARTS.filter(({ key }) => cameBack[key] > 0);
  const text = parts.map(
    ({ key, label }) => `${formatPercent(cameBack[key] / cameBack.requests)} ${label.toLowerCase()}`,
  );
  return (
    <>
      <span className={classes['bar']} aria-hidden="true">
        {parts.map(({ key, color }) => (
          <span key={key} style={{ flexGrow: cameBack[key], background: color }} />
        ))}
      </span>
      <Text span size="xs" c="dimmed">
        {text.join(', ')}
      </Text>
    </>
  );
}

interface VisitorProps {
  projectId: string;
  agent: Named;
  range: PolicyEffect;
}

/** Name of a visitor with its mark. */
export const Visitor = (props: VisitorProps) => (
  <MarkedName name={props.agent.agent_token ?? '?'} operator={props.agent.operator_name}>
    <VisitorName {...props} />
  </MarkedName>
);

/** Name of a visitor. Links to the agent, unless someone else only claims to be it. */
export function VisitorName({ projectId, agent, range }: VisitorProps) {
  const name = describeVisitor(agent);
  if (agent.agent_id === null || agent.is_spoofed) return name;
  return (
    <TextLink {...agentLink(projectId, agent.agent_id, range)} size="sm">
      {name}
    </TextLink>
  );
}

type Named = Pick<EffectAgent, 'agent_id' | 'agent_token' | 'operator_name' | 'is_spoofed'>;

export function describeVisitor({ agent_id: id, agent_token: token, is_spoofed: isSpoofed }: Named): string {
  if (id === null) return 'Unknown visitors';
  return isSpoofed ? `${token ?? 'Deleted agent'} (failed verification)` : (token ?? 'Deleted agent');
}

/** Filter for the visits of an agent, or of those who claim to be the agent. */
export function toAgentFilter({
  agent_id: id,
  agent_token: token,
  is_spoofed: isSpoofed,
}: Named): Record<string, string[]> {
  if (id === null) return { result: ['unknown_agent'] };
  const agent = [agentFilter({ agent_id: id, agent_token: token })];
  return isSpoofed ? { agent, result: ['verification_failed'] } : { agent, not_result: ['verification_failed'] };
}

interface VisitLinkProps {
  projectId: string;
  /** Visit IDs. Only the first is linked. */
  ids: readonly string[];
  of: string;
}

/** Link to an example of a visit. */
export function VisitLink({ projectId, ids: [visit], of }: VisitLinkProps) {
  if (visit === undefined) return null;
  return (
    <TextLink to="/projects/$projectId/visits" params={{ projectId }} search={{ visit }} size="sm">
      View<span className="unseen"> a visit of {of}</span>
    </TextLink>
  );
}
