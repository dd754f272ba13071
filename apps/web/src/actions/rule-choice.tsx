import { Button, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Project } from '../api/client.js';
import { policyCountsQuery } from '../api/policy.js';
import { patternTrialQuery } from '../api/unlisted-user-agents.js';
import { formatCount, formatVisitCount } from '../format/count.js';
import { notify } from '../notices/notices.js';
import { Failure } from '../ui/failure.js';
import { Icon } from '../ui/icon.js';
import classes from './actions.module.css';
import { addRule, type AddedRule } from './add-rule.js';
import { addAgent } from './add-agent.js';
import type { Finding, RuleTarget } from './finding.js';
import { createRule, describeEffect, getWarning, type RuleKind } from './finding-rule.js';
import { useNetworkWarning } from './use-network-warning.js';

export interface RuleChoiceProps {
  project: Project;
  kind: RuleKind;
  target: RuleTarget;
  /** Visits to check for people, if the target is a network. */
  finding: Pick<Finding, 'range' | 'userAgentGroup'>;
  onDone: () => void;
}

/** Lets users choose whether a new rule starts in dry run or live. */
export function RuleChoice({ project, kind, target, finding, onDone }: RuleChoiceProps) {
  const projectId = project.id;
  const queryClient = useQueryClient();
  const [id] = useState(() => crypto.randomUUID());
  const networkWarning = useNetworkWarning(project, target.network, finding);
  const warning = networkWarning ?? getWarning(kind, target);
  const { data: counted } = useQuery(policyCountsQuery(projectId));
  const adding = useMutation({
    mutationFn: async (mode: 'dry_run' | 'live'): Promise<AddedRule> => {
      const rule = createRule(kind, mode, { target, id });
      if (target.newAgent === undefined) return addRule(queryClient, projectId, rule);
      const removeAgent = await addAgent(queryClient, target.newAgent);
      try {
        const { undo, ...added } = await addRule(queryClient, projectId, rule);
        if (undo === undefined) return added;
        const undoAll = async (): Promise<string> => {
          const result = await undo();
          await removeAgent();
          return result;
        };
        return { ...added, undo: undoAll };
      } catch (error) {
        await removeAgent();
        throw error;
      }
    },
    onSuccess: ({ rule, undo }) => {
      const what =
        rule.mode === 'live'
          ? `is live. ${describeEffect(kind, target)}`
          : 'runs as a dry run. It only counts requests until you go live.';
      notify({
        text:
          undo === undefined ? `The policy already has the rule “${rule.name}”. It ${what}` : `“${rule.name}” ${what}`,
        link:
          rule.mode === 'live' && target.token !== undefined
            ? {
                to: '/projects/$projectId/policy',
                params: { projectId },
                label: 'Prove it',
                search: { view: 'proof', prove: [target.token], run: true },
              }
            : {
                to: '/projects/$projectId/policy/rules/$ruleId',
                params: { projectId, ruleId: rule.id },
                label: 'View rule',
              },
        ...(undo !== undefined && { undo }),
      });
      onDone();
    },
  });
  return (
    <Stack gap="xs" p={4}>
      <Text size="sm" fw={600}>
        {createRule(kind, 'live', { target, id }).name}
      </Text>
      <Text size="sm">
        {describeEffect(kind, target)}
        {target.newAgent !== undefined && ` ${target.token} is added to the catalog.`} The rule goes at the top of your
        policy
        {counted?.counts.length === 0 && ' and takes effect once your proxy is connected'}.
      </Text>
      {warning !== null && (
        <Text size="sm" role="note" className={classes['warning']!}>
          <Icon name="alert" size={16} />
          {warning}
        </Text>
      )}
      {target.newAgent !== undefined && (
        <MatchNote projectId={projectId} patterns={target.newAgent.user_agent_patterns} />
      )}
      {adding.isError && <Failure error={adding.error} title="Couldn’t add the rule" />}
      <Button size="sm" fullWidth data-autofocus disabled={adding.isPending} onClick={() => adding.mutate('dry_run')}>
        {adding.isPending && adding.variables === 'dry_run' ? 'Saving…' : 'Start as a dry run'}
      </Button>
      <Button size="sm" fullWidth variant="default" disabled={adding.isPending} onClick={() => adding.mutate('live')}>
        {adding.isPending && adding.variables === 'live'
          ? 'Saving…'
          : kind === 'refuse'
            ? 'Block now'
            : 'Slow down now'}
      </Button>
      <Text size="xs" c="dimmed">
        A dry run counts the requests and changes nothing for visitors.
      </Text>
    </Stack>
  );
}

/** Counts the visits whose user agent the rule would match, so users see that people aren't affected. */
function MatchNote({ projectId, patterns }: { projectId: string; patterns: string[] }) {
  const { data: trial } = useQuery(patternTrialQuery(projectId, patterns));
  if (trial === undefined) return null;
  const { visits, browser_visits: byBrowsers, browsers } = trial;
  return (
    <Text size="sm" role="note">
      {formatVisitCount(visits)} in the last 7 days would have matched
      {byBrowsers === 0 && browsers.matching === 0
        ? ', none of them by browsers that people use.'
        : `, ${formatCount(byBrowsers)} of them by browsers that people use.`}
    </Text>
  );
}
