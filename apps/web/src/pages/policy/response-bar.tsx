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

const LABELS: Record<Exclude<ResponseKind, 'dry_run'>, string> = {
  allow: 'Allow',
  ask: 'Ask not to visit',
  redirect: 'Redirect',
  slow_down: 'Slow down',
  charge: 'Ask to pay',
  refuse: 'Block',
};

const PARTS = Object.entries(LABELS).flatMap(([response, label]) => [
  { response, label },
  { response: 'dry_run', label: `${label} (dry run)` },
]);

interface ResponseBarProps {
  projectId: string;
  rows: readonly PolicyRow[];
  /** Rules, including changes that aren't published. */
  rules: readonly PolicyRule[];
}

/** Visits of the last 30 days by the response that the rules now set for their agent. */
export function ResponseBar({ projectId, rows, rules }: ResponseBarProps) {
  const visits = new Map<string, number>();
  for (const { agents, control } of rows) {
    for (const { agent, response } of agents) {
      const kind = toKind(response, control);
      const label = kind === 'dry_run' ? `${LABELS[response.dryRun!.action.kind]} (dry run)` : LABELS[kind];
      visits.set(label, (visits.get(label) ?? 0) + countVisits(agent));
    }
  }
  const parts = PARTS.map((part) => ({ ...part, visits: visits.get(part.label) ?? 0 })).filter(
    (part) => part.visits > 0,
  );
  const partial = rules.filter((rule) => rule.mode === 'live' && rule.action.kind !== 'allow' && isPartial(rule));
  const total = parts.reduce((sum, part) => sum + part.visits, 0);
  if (total === 0) return null;
  return (
    <div>
      <Text size="sm" c="dimmed" mb={4}>
        Visits of the last {DAYS} days by the rule that covers their agent now, including those it wouldn’t affect
      </Text>
      <div className={classes['bar']} aria-hidden="true">
        {parts.map((part) => (
          <span key={part.label} data-response={part.response} style={{ flexGrow: part.visits }} />
        ))}
      </div>
      <ul className={classes['legend']} aria-label={`Visits covered by each response in ${DAYS} days`}>
        {parts.map((part) => (
          <li key={part.label}>
            <span className={classes['mark']} data-response={part.response} aria-hidden="true" />
            {part.label} <b>{formatCount(part.visits)}</b>
          </li>
        ))}
      </ul>
      {partial.length > 0 && (
        <Text size="xs" c="dimmed" mt={6}>
          Not shown here: {partial.length === 1 ? 'a rule' : 'rules'} for certain pages or visitors (
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
          ).
        </Text>
      )}
    </div>
  );
}
