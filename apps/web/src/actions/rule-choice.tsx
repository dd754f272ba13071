import { Button, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Project } from '../api/client.js';
import { policyCountsQuery } from '../api/policy.js';
import { notify } from '../notices/notices.js';
import { Failure } from '../ui/failure.js';
import { Icon } from '../ui/icon.js';
import classes from './actions.module.css';
import { addRule } from './add-rule.js';
import type { Finding } from './finding.js';
import { createRule, describeEffect, getWarning, type RuleKind, type RuleTarget } from './finding-rule.js';
import { useNetworkWarning } from './use-network-warning.js';

interface RuleChoiceProps {
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
    mutationFn: (mode: 'dry_run' | 'live') => addRule(queryClient, projectId, createRule(kind, mode, { target, id })),
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
        {describeEffect(kind, target)} The rule goes at the top of your policy
        {counted?.counts.length === 0 && ' and takes effect once your proxy is connected'}.
      </Text>
      {warning !== null && (
        <Text size="sm" role="note" className={classes['warning']!}>
          <Icon name="alert" size={16} />
          {warning}
        </Text>
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
