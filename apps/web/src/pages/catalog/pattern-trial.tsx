import { Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { patternTrialQuery } from '../../api/unlisted-user-agents.js';
import { formatCount } from '../../format/count.js';

const DEBOUNCE_DELAY_MS = 400;

/** Shows how many of a project's unlisted visits the patterns match, and whether they match common browsers. */
export function PatternTrial({ projectId, patterns }: { projectId: string; patterns: string[] }) {
  const [debouncedPatterns] = useDebouncedValue(patterns.join('\n'), DEBOUNCE_DELAY_MS);
  const lines = debouncedPatterns === '' ? [] : debouncedPatterns.split('\n');
  const trial = useQuery({ ...patternTrialQuery(projectId, lines), enabled: lines.length > 0 });
  return (
    <div role="status">
      {lines.length > 0 && trial.isError && (
        <Text size="sm">The pattern isn’t valid, so it can’t be tested. Save the agent to see what’s wrong.</Text>
      )}
      {lines.length > 0 && trial.data && <Result {...trial.data} />}
    </div>
  );
}

type Trial = NonNullable<Awaited<ReturnType<NonNullable<ReturnType<typeof patternTrialQuery>['queryFn']>>>>;

function Result({ visits, browser_visits: browserVisits, browsers }: Trial) {
  return (
    <>
      <Text size="sm">
        Would match {formatCount(visits)} visits in the last 7 days, {formatCount(browserVisits)} of them by people’s
        browsers.
      </Text>
      {browsers.matching > 0 && (
        <Text size="sm" c="var(--failed)">
          Matches {formatCount(browsers.matching)} of {formatCount(browsers.tried)} common browsers, such as{' '}
          {browsers.example}. Make the pattern more specific, or people will be identified as this agent.
        </Text>
      )}
    </>
  );
}
