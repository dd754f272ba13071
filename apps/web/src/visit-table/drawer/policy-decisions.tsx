import { capitalize } from '#libs/agents/vocabulary';
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Visit } from '../../api/client.js';
import { policyQuery } from '../../api/policy.js';
import { OUTCOME_LABELS, type Outcome } from '../../rules/rule-text.js';
import { TextLink } from '../../ui/text-link.js';
import { findNewDecision } from './new-decision.js';

const OUTCOMES = {
  allow: 'allowed',
  slow_down: 'slowed',
  redirect: 'redirected',
  charge: 'charged',
  refuse: 'refused',
} as const satisfies Record<string, Outcome>;

/**
 * Returns the policy's decisions on a visit and the current one, with links to the other visits that the rules matched.
 * Null if there are none.
 */
export function usePolicyDecisions(item: Visit): ReactNode {
  const { project_id: projectId, decisions } = item;
  const { data: policy } = useQuery(policyQuery(projectId));
  const rules = policy?.rules ?? [];
  const findName = (id: string): string => {
    for (const rule of rules) {
      if (rule.id === id) return `“${rule.name}”`;
      if (rule.exceptions?.some((exception) => exception.id === id)) return `an exception to “${rule.name}”`;
    }
    return 'a rule that no longer exists';
  };
  const live = findNewDecision(rules, item);
  if (!decisions?.length && live === null) return null;
  return (
    <>
      {decisions?.map(({ rule_id: id, mode, outcome }) => {
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
      })}
      {live !== null && (
        <Text size="sm">
          <b>Now {OUTCOME_LABELS[OUTCOMES[live.action.kind]].toLowerCase()}</b> by{' '}
          <TextLink
            to="/projects/$projectId/policy/rules/$ruleId"
            params={{ projectId, ruleId: live.rule.id }}
            size="sm"
          >
            “{live.rule.name}”
          </TextLink>
        </Text>
      )}
    </>
  );
}
