import { Button, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { toErrorMessage, type Project } from '../api/client.js';
import { policyCountsQuery, policyQuery } from '../api/policy.js';
import { patternTrialQuery } from '../api/unlisted-user-agents.js';
import { formatCount, formatVisitCount } from '../format/count.js';
import { notify } from '../notices/notices.js';
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

/** Lets users choose whether a new rule starts in dry run or live. Closes at once, and a notice reports the result. */
export function RuleChoice({ project, kind, target, finding, onDone }: RuleChoiceProps) {
  const projectId = project.id;
  const queryClient = useQueryClient();
  const [id] = useState(() => crypto.randomUUID());
  const networkWarning = useNetworkWarning(project, target.network, finding);
  const warning = networkWarning ?? getWarning(kind, target);
  const { data: counted } = useQuery(policyCountsQuery(projectId));
  const { queryKey } = policyQuery(projectId);
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
    // Saving takes seconds, because it stores a forecast. Pages show the rule in the meantime.
    onMutate: async (mode) => {
      await queryClient.cancelQueries({ queryKey });
      queryClient.setQueryData(
        queryKey,
        (policy) => policy && { ...policy, rules: [createRule(kind, mode, { target, id }), ...policy.rules] },
      );
    },
    onError: (error) => {
      void queryClient.invalidateQueries({ queryKey });
      notify({
        text: `Couldn’t add the rule “${createRule(kind, 'live', { target, id }).name}”. ${toErrorMessage(error)}`,
      });
    },
    onSuccess: ({ rule, undo }) => {
      if (undo === undefined) void queryClient.invalidateQueries({ queryKey });
      const what = rule.mode === 'live' ? 'is live.' : 'runs as a dry run. It only counts requests until you go live.';
      notify({
        text:
          undo === undefined ? `The policy already has the rule “${rule.name}”. It ${what}` : `“${rule.name}” ${what}`,
        link:
          rule.mode === 'live'
            ? {
                to: '/projects/$projectId/policy',
                params: { projectId },
                label: 'Prove it',
                search: { view: 'proof', ...(target.token !== undefined && { prove: [target.token] }), run: true },
              }
            : {
                to: '/projects/$projectId/policy/rules/$ruleId',
                params: { projectId, ruleId: rule.id },
                label: 'View rule',
              },
        ...(undo !== undefined && { undo }),
      });
    },
  });
  const start = (mode: 'dry_run' | 'live'): void => {
    adding.mutate(mode);
    onDone();
  };
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
      <Button size="sm" fullWidth data-autofocus onClick={() => start('dry_run')}>
        Start as a dry run
      </Button>
      <Button size="sm" fullWidth variant="default" onClick={() => start('live')}>
        {kind === 'refuse' ? 'Block now' : 'Slow down now'}
      </Button>
      <Text size="xs" c="dimmed">
        A dry run only counts the requests. Nobody is {kind === 'refuse' ? 'blocked' : 'slowed down'}.
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
