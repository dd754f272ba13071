import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { AgentActions } from '../../actions/agent-actions.js';
import { useBlockingRule } from '../../actions/use-blocking-rule.js';
import type { BlockChoice } from '../../actions/finding.js';
import { countVerdicts } from '../../charts/verdict-series.js';
import { formatCount, formatVisitCount } from '../../format/count.js';
import type { Project } from '../../api/client.js';
import { policyEffectQuery } from '../../api/policy-effect.js';
import { policyCountsQuery } from '../../api/policy.js';
import type { VisitingAgent } from '../../api/statistics.js';
import { agentFilter, listLink } from '../../range/list-link.js';
import type { LinkedRange } from '../../range/range.js';
import { Icon } from '../../ui/icon.js';
import { RelativeTime } from '../../ui/relative-time.js';
import { TextLink } from '../../ui/text-link.js';
import classes from './agent-rule-state.module.css';
import type { AgentSearch } from './search.js';

const RuleDrawer = lazy(() => import('../../rules/rule-drawer.js'));

/** Number of days to read a rule's effect for. Only its start is shown. */
const EFFECT_DAYS = 7;

interface AgentTitleActionsProps {
  project: Project;
  agent: VisitingAgent;
  range: LinkedRange;
  timeZone: string;
  /** Actions to open right away. */
  action: AgentSearch['action'];
  onActionClose: () => void;
}

/** Actions in the title row of an agent. */
export function AgentTitleActions({ project, agent, range, timeZone, action, onActionClose }: AgentTitleActionsProps) {
  const name = agentFilter(agent);
  const failed = countVerdicts(agent).verification_failed;
  const blocking = useBlockingRule(project.id, [agent]);
  const [isEditing, setEditing] = useState(false);
  return (
    <>
      {blocking !== null && project.role !== 'viewer' && (
        <Button variant="default" size="compact-sm" h={28} onClick={() => setEditing(true)}>
          Edit rule
        </Button>
      )}
      <AgentActions
        project={project}
        loadFinding={async () => ({
          ...(await import('../../actions/agent-findings.js')).toAgentFinding(agent, {
            range: agent,
            timeZone,
            visits: listLink(project.id, range)({ agent: name }),
          }),
          ...(agent.agent_token !== null && failed > 0 && { blockChoices: getBlockChoices(agent, agent.agent_token) }),
        })}
        of={name}
        canBlock={agent.agent_token !== null}
        requests={[agent]}
        hidesRule
        opened={action}
        onClose={onActionClose}
      />
      <Suspense>
        {isEditing && blocking !== null && (
          <RuleDrawer project={project} rule={blocking.rule} onClose={() => setEditing(false)} />
        )}
      </Suspense>
    </>
  );
}

/** Returns the ways to block an agent with impostors. Genuine visits are rarely unwanted for the same reason. */
function getBlockChoices(agent: VisitingAgent, token: string): BlockChoice[] {
  const target = { token, type: agent.agent_type_name };
  const failed = countVerdicts(agent).verification_failed;
  const impostors: BlockChoice = {
    label: `Only impostors (${formatVisitCount(failed)} that failed verification)`,
    target: { ...target, result: 'verification_failed' as const },
  };
  return failed === agent.visits
    ? [impostors]
    : [impostors, { label: `All of its ${formatVisitCount(agent.visits)}`, target }];
}

/** Rule that blocks an agent or its impostors, or that is tested in dry run. Renders nothing if there is none. */
export function AgentRuleState({ project, agent }: Pick<AgentTitleActionsProps, 'project' | 'agent'>) {
  const failed = countVerdicts(agent).verification_failed;
  const blockingAll = useBlockingRule(project.id, [agent]);
  const blockingFailed = useBlockingRule(
    project.id,
    failed === 0 ? [] : [{ ...agent, results: ['verification_failed'] }],
  );
  const blocking = blockingAll ?? blockingFailed;
  const { data: counted } = useQuery({ ...policyCountsQuery(project.id), enabled: blocking?.isLive === true });
  if (blocking === null) return null;
  const { rule, isLive } = blocking;
  return (
    <Text size="sm" role="status" className={classes['state']!} data-live={isLive || undefined}>
      <Icon name="block" size={15} />
      <span>
        <b>{!isLive ? 'Dry run' : blockingAll === null ? 'Impostors blocked' : 'Blocked'}</b>
        {isLive && <Since projectId={project.id} ruleId={rule.id} />} by{' '}
        <TextLink
          to="/projects/$projectId/policy/rules/$ruleId"
          params={{ projectId: project.id, ruleId: rule.id }}
          inherit
        >
          “{rule.name}”
        </TextLink>
        {!isLive &&
          (blockingAll === null
            ? `, which would block visits that fail verification (${formatCount(failed)} in this range)`
            : ', which would block its visits')}
        {isLive && counted?.counts.length === 0 && '. The rule takes effect once your proxy is connected'}
        {isLive && agent.agent_token !== null && (
          <>
            {' · '}
            <TextLink
              to="/projects/$projectId/policy"
              params={{ projectId: project.id }}
              search={{ view: 'proof', prove: [agent.agent_token], run: true }}
              inherit
            >
              Prove it
            </TextLink>
          </>
        )}
      </span>
    </Text>
  );
}

function Since({ projectId, ruleId }: { projectId: string; ruleId: string }) {
  const { data: effect } = useQuery(policyEffectQuery(projectId, ruleId, EFFECT_DAYS));
  return (
    effect?.live_since != null && (
      <>
        {' '}
        <RelativeTime time={effect.live_since} />
      </>
    )
  );
}
