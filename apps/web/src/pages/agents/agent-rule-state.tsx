import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { AgentActions } from '../../actions/agent-actions.js';
import { useBlockingRule } from '../../actions/use-blocking-rule.js';
import type { BlockChoice } from '../../actions/finding.js';
import { countVerdicts } from '../../charts/verdict-series.js';
import { formatVisitCount } from '../../format/count.js';
import type { Project } from '../../api/client.js';
import { policyEffectQuery } from '../../api/policy-effect.js';
import { policyCountsQuery } from '../../api/policy.js';
import type { VisitingAgent } from '../../api/statistics.js';
import type { Requests } from '../../rules/agent-response.js';
import { agentFilter, listLink } from '../../range/list-link.js';
import type { LinkedRange } from '../../range/range.js';
import { Icon } from '../../ui/icon.js';
import { GoLiveButton } from '../../rules/go-live-button.js';
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
  const blockingFailed = useBlockingRule(project.id, toFailedRequests(agent));
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
        {...(failed > 0 && !blockingFailed?.isLive && { blockLabel: 'Block impostors…' })}
        isPrimary={failed > 0 && blockingFailed === null}
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

/** Returns the requests that fail verification as an agent, if there are any. */
const toFailedRequests = (agent: VisitingAgent): Requests[] =>
  countVerdicts(agent).verification_failed === 0 ? [] : [{ ...agent, results: ['verification_failed'] }];

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
  const blockingAll = useBlockingRule(project.id, [agent]);
  const blockingFailed = useBlockingRule(project.id, toFailedRequests(agent));
  const blocking = blockingAll ?? blockingFailed;
  const { data: counted } = useQuery({ ...policyCountsQuery(project.id), enabled: blocking?.isLive === true });
  if (blocking === null) return null;
  const { rule, isLive } = blocking;
  const link = (
    <TextLink
      to="/projects/$projectId/policy/rules/$ruleId"
      params={{ projectId: project.id, ruleId: rule.id }}
      inherit
    >
      “{rule.name}”
    </TextLink>
  );
  if (!isLive) {
    return (
      <Text size="sm" component="div" role="status" className={classes['state']!}>
        <Icon name="block" size={15} />
        <span>
          {link} is in a dry run. Once it’s live, it blocks{' '}
          {blockingAll === null ? 'visits that fail verification' : 'all visits by this agent'}.
        </span>
        <GoLiveButton project={project} rule={rule} isPrimary />
      </Text>
    );
  }
  return (
    <Text size="sm" role="status" className={classes['state']!} data-live>
      <Icon name="block" size={15} />
      <span>
        <b>{blockingAll === null ? 'Impostors blocked' : 'Blocked'}</b>
        <Since projectId={project.id} ruleId={rule.id} /> by {link}
        {counted?.counts.length === 0 && '. The rule takes effect once your proxy is connected'}
        {agent.agent_token !== null && (
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
