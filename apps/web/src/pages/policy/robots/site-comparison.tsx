import { Text } from '@mantine/core';
import { useMemo } from 'react';
import type { RuleFormat } from '../../../api/rules-queries.js';
import { formatCount } from '../../../format/count.js';
import { ChangedLines } from '../../../rules/changed-lines.js';
import { diffRules, summarizeChange, type RulesChange } from '../../../rules/rules-change.js';
import { Section } from '../../../ui/section.js';

const USER_AGENT = 'user-agent:';

function describeFile(text: string): string {
  const lines = text.split('\n').filter((line) => line.toLowerCase().startsWith(USER_AGENT));
  const names = new Set(lines.map((line) => line.slice(USER_AGENT.length).trim()));
  names.delete('*');
  if (names.size === 0) return 'no rules for individual agents';
  return `rules for ${names.size === 1 ? '1 agent' : `${formatCount(names.size)} agents`}`;
}

interface SiteComparisonProps {
  /** robots.txt that the site serves now. */
  served: string;
  draft: string;
  format: RuleFormat;
}

function useChange({ served, draft, format }: SiteComparisonProps): RulesChange {
  return useMemo(() => {
    const lines = served.split('\n').filter((line) => !line.startsWith('#'));
    return diffRules(lines.join('\n'), draft, format);
  }, [served, draft, format]);
}

/** Warns about lines of the site's robots.txt that the draft leaves out. */
export function RemovedLines(props: SiteComparisonProps) {
  const { removed, changed } = useChange(props);
  const count = [...removed, ...changed].flatMap(({ before, now }) =>
    before.filter((line) => !now.includes(line)),
  ).length;
  if (count === 0) return null;
  return (
    <Text size="sm" c="var(--failed)">
      This draft leaves out {count === 1 ? '1 line' : `${formatCount(count)} lines`} of your site’s robots.txt
    </Text>
  );
}

/** Compares the draft with the robots.txt that the site serves. */
export function SiteComparison({ served, draft, format }: SiteComparisonProps) {
  const change = useChange({ served, draft, format });
  const isSame = summarizeChange(change) === '';
  return (
    <Section
      title="Compared with your site"
      lead={`Your site has ${describeFile(served)}. This draft has ${describeFile(draft)}.`}
    >
      <Text size="sm">
        {isSame
          ? 'Your site already serves this draft.'
          : 'Lines with − are only on your site, and lines with + only in this draft.'}
      </Text>
      <ChangedLines change={change} />
    </Section>
  );
}
