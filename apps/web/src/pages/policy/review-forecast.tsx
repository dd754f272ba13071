import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { PolicyRule } from '../../api/policy.js';
import { policyForecastQuery, type PolicyForecast } from '../../api/policy-forecast.js';
import { formatCount } from '../../format/count.js';
import { Listing } from '../../ui/listing.js';
import { countActed, describeOutcomes } from '../../rules/outcomes.js';

/** Number of days whose stored requests are replayed. */
const DAYS = 7;
const MAX_NAMED_AGENTS = 3;

interface ReviewForecastProps {
  projectId: string;
  before: readonly PolicyRule[];
  after: readonly PolicyRule[];
}

const onlyLive = (rules: readonly PolicyRule[]): PolicyRule[] => rules.filter(({ mode }) => mode === 'live');

/** Effect that the live rules would have had on the stored requests, before and after a change. */
export function ReviewForecast({ projectId, before, after }: ReviewForecastProps) {
  const { data: old } = useQuery(policyForecastQuery(projectId, onlyLive(before), DAYS));
  const { data: current, isError } = useQuery(policyForecastQuery(projectId, onlyLive(after), DAYS));
  if (isError) return null;
  if (old === undefined || current === undefined) {
    return (
      <Text size="sm" c="dimmed">
        Replaying the requests of the last {DAYS} days…
      </Text>
    );
  }
  const [from, to] = [countActed(old.total.outcomes), countActed(current.total.outcomes)];
  const agents = findNewlyAffected(old, current);
  const isSame = to === from && agents.length === 0;
  return (
    <Text size="sm" role="status">
      {isSame
        ? 'Once live, these changes wouldn’t affect any more requests: still '
        : 'Once live, the rules would affect '}
      <strong>{formatCount(to)}</strong> of {formatCount(current.visits)}
      {isSame ? '' : ' requests'} in the last {DAYS} days
      {!isSame && ` instead of ${formatCount(from)}`}
      {to > 0 && ` (${describeOutcomes(current.total.outcomes)})`}.
      {agents.length > 0 && (
        <>
          {' '}
          Newly affected:{' '}
          <Listing
            items={agents.map(({ name, requests }) => ({ key: name, content: `${name} (${formatCount(requests)})` }))}
            limit={MAX_NAMED_AGENTS}
          />
          .
        </>
      )}
    </Text>
  );
}

/** Returns the agents with more affected requests than before, most first. */
function findNewlyAffected(old: PolicyForecast, current: PolicyForecast): { name: string; requests: number }[] {
  const before = new Map(old.agents.map(({ agent_token: token, outcomes }) => [token, countActed(outcomes)]));
  return current.agents
    .map(({ agent_token: token, outcomes }) => ({
      name: token ?? 'unknown visitors',
      requests: countActed(outcomes) - (before.get(token) ?? 0),
    }))
    .filter(({ requests }) => requests > 0)
    .toSorted((one, other) => other.requests - one.requests);
}
