import { Text } from '@mantine/core';
import type { PolicyRule } from '../../api/policy.js';
import { formatCount } from '../../format/count.js';
import { Listing } from '../../ui/listing.js';
import { TextLink } from '../../ui/text-link.js';
import { isPartial } from '../../rules/agent-response.js';
import { toKind, type ResponseKind } from './response-kind.js';
import classes from './policy.module.css';
import { countVisits, type PolicyRow } from './policy-rows.js';
import { DAYS } from '../../rules/recent-agents.js';

const LABELS: Record<ResponseKind, string> = {
  allow: 'Allow',
  dry_run: 'Allow (dry run)',
  ask: 'Ask not to visit',
  redirect: 'Redirect',
  slow_down: 'Slow down',
  charge: 'Ask to pay',
  refuse: 'Block',
};

interface ResponseBarProps {
  projectId: string;
  rows: readonly PolicyRow[];
  /** Rules, including changes that aren't published. */
  rules: readonly PolicyRule[];
}

/** Visits of the last 30 days by the response that the rules now give to their agent. */
export function ResponseBar({ projectId, rows, rules }: ResponseBarProps) {
  const visits = new Map<ResponseKind, number>();
  for (const { agents, control } of rows) {
    for (const { agent, response } of agents) {
      const kind = toKind(response, control);
      visits.set(kind, (visits.get(kind) ?? 0) + countVisits(agent));
    }
  }
  const parts = (Object.keys(LABELS) as ResponseKind[])
    .map((response) => ({ response, visits: visits.get(response) ?? 0 }))
    .filter((part) => part.visits > 0);
  const partial = rules.filter((rule) => rule.mode === 'live' && rule.action.kind !== 'allow' && isPartial(rule));
  const total = parts.reduce((sum, part) => sum + part.visits, 0);
  if (total === 0) return null;
  return (
    <div>
      <Text size="sm" c="dimmed" mb={4}>
        Current rules, applied to the visits of the last {DAYS} days
      </Text>
      <div className={classes['bar']} aria-hidden="true">
        {parts.map((part) => (
          <span key={part.response} data-response={part.response} style={{ flexGrow: part.visits }} />
        ))}
      </div>
      <ul className={classes['legend']} aria-label={`Visits in ${DAYS} days by response`}>
        {parts.map((part) => (
          <li key={part.response}>
            <span className={classes['mark']} data-response={part.response} aria-hidden="true" />
            {LABELS[part.response]} <b>{formatCount(part.visits)}</b>
          </li>
        ))}
      </ul>
      {partial.length > 0 && (
        <Text size="xs" c="dimmed" mt={6}>
          Not included, because {partial.length === 1 ? 'it only applies' : 'they only apply'} to certain pages or
          visitors:{' '}
          <Listing
            items={partial.map(({ id, name }) => ({
              key: id,
              content: (
                <TextLink to="/projects/$projectId/policy/rules/$ruleId" params={{ projectId, ruleId: id }} inherit>
                  {name}
                </TextLink>
              ),
            }))}
            limit={3}
          />
        </Text>
      )}
    </div>
  );
}
