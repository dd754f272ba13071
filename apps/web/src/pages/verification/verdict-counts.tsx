import { Group, Text } from '@mantine/core';
import { RESULTS } from '#libs/agents/vocabulary';
import type { Verification } from '../../api/statistics.js';
import { AGENT_RESULTS } from '../../charts/verdict-series.js';
import { formatCount } from '../../format/count.js';
import { listLink } from '../../range/list-link.js';
import type { LinkedRange } from '../../range/range.js';
import { TextLink } from '../../ui/text-link.js';
import { Verdict } from '../../ui/verdict.js';

interface VerdictCountsProps {
  projectId: string;
  verification: Verification;
  range: LinkedRange;
}

export function VerdictCounts({ projectId, verification, range }: VerdictCountsProps) {
  const visits = listLink(projectId, range);
  return (
    <Group gap="xl" align="start">
      {AGENT_RESULTS.map((result) => {
        const count = verification.series.reduce((sum, item) => sum + item[result], 0);
        return (
          <div key={result}>
            <Verdict result={result} />
            <Text fw={600} fz="lg" className="numbers">
              {count === 0 ? (
                0
              ) : (
                <TextLink {...visits({ result })} c="inherit">
                  {formatCount(count)}
                  <span className="unseen"> visits</span>
                </TextLink>
              )}
            </Text>
            <Text size="xs" c="dimmed" maw={260}>
              {RESULTS[result].meaning}
            </Text>
          </div>
        );
      })}
    </Group>
  );
}
