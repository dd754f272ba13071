import { Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { patternTrialQuery } from '../../api/unlisted.js';
import { countText } from '../../format/count.js';

const DELAY_MS = 400;

/** Shows how many unlisted visits of a project the patterns match, and whether they match common browsers. */
export function PatternTrial({ projectId, patterns }: { projectId: string; patterns: string[] }) {
  const [asked] = useDebouncedValue(patterns.join('\n'), DELAY_MS);
  const lines = asked === '' ? [] : asked.split('\n');
  const trial = useQuery({ ...patternTrialQuery(projectId, lines), enabled: lines.length > 0 });
  return (
    <div role="status">
      {lines.length > 0 && trial.isError && (
        <Text size="sm">The pattern can’t be tried until it is valid. Saving says what is wrong with it.</Text>
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
        Would match {countText(visits)} visits of the last 7 days, {countText(browserVisits)} of them of people’s
        browsers.
      </Text>
      {browsers.matching > 0 && (
        <Text size="sm" c="var(--failed)">
          Matches {countText(browsers.matching)} of {countText(browsers.tried)} common browsers, such as{' '}
          {browsers.example}. Make the pattern more specific, or people are taken for this agent.
        </Text>
      )}
    </>
  );
}
