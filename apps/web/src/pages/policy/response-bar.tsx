import { Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { policyCountsQuery } from '../../api/policy.js';
import { formatCount } from '../../format/count.js';
import { DAYS } from '../../rules/recent-agents.js';
import { TextLink } from '../../ui/text-link.js';
import { sumAffected } from './affected-requests.js';
import classes from './policy.module.css';

/** Requests of the last 30 days that rules affected, or would have in dry run. */
export function ResponseBar({ projectId }: { projectId: string }) {
  const { data, isPending } = useQuery(policyCountsQuery(projectId));
  if (isPending) return <Skeleton h={68} animate={false} />;
  if (data === undefined) return null;
  const parts = sumAffected(data.counts);
  if (parts.length === 0) return null;
  return (
    <div>
      <Text size="sm" c="dimmed" mb={4}>
        Requests that your rules affected in the last {DAYS} days, or would have in a dry run.{' '}
        <TextLink to="/projects/$projectId/policy" params={{ projectId }} search={{ view: 'advanced' }} inherit>
          By rule
        </TextLink>
      </Text>
      <div className={classes['bar']} aria-hidden="true">
        {parts.map(({ label, response, isDryRun, requests }) => (
          <span
            key={label}
            data-response={response}
            data-dry-run={isDryRun || undefined}
            style={{ flexGrow: requests }}
          />
        ))}
      </div>
      <ul className={classes['legend']} aria-label={`Affected requests in ${DAYS} days`}>
        {parts.map(({ label, response, isDryRun, requests }) => (
          <li key={label}>
            <span
              className={classes['mark']}
              data-response={response}
              data-dry-run={isDryRun || undefined}
              aria-hidden="true"
            />
            {label} <b>{formatCount(requests)}</b>
          </li>
        ))}
      </ul>
    </div>
  );
}
