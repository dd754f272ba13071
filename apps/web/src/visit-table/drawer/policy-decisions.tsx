import { capitalize } from '#libs/agents/vocabulary';
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Visit } from '../../api/client.js';
import { policyQuery } from '../../api/policy.js';
import { OUTCOME_LABELS } from '../../rules/rule-text.js';
import { TextLink } from '../../ui/text-link.js';

interface PolicyDecisionsProps {
  projectId: string;
  decisions: NonNullable<Visit['decisions']>;
}

/** Decisions of the policy on a visit, with links to the other visits that the same rules matched. */
export function PolicyDecisions({ projectId, decisions }: PolicyDecisionsProps) {
  const { data: policy } = useQuery(policyQuery(projectId));
  const findName = (id: string): string => {
    for (const rule of policy?.rules ?? []) {
      if (rule.id === id) return `“${rule.name}”`;
      if (rule.exceptions?.some((exception) => exception.id === id)) return `an exception to “${rule.name}”`;
    }
    return 'a rule that no longer exists';
  };
  return decisions.map(({ rule_id: id, mode, outcome }) => {
    // Services from a newer release may send other outcomes.
    const label = (OUTCOME_LABELS as Record<string, string>)[outcome] ?? capitalize(outcome);
    return (
      <Text size="sm" key={mode}>
        {mode === 'live' ? <b>{label}</b> : <>Would have been {label.toLowerCase()}</>} by{' '}
        <TextLink to="/projects/$projectId/visits" params={{ projectId }} search={{ rule: id }} size="sm">
          {policy === undefined ? id : findName(id)}
        </TextLink>
        {mode !== 'live' && ' (dry run)'}
      </Text>
    );
  });
}
