import { Text } from '@mantine/core';
import { useMemo } from 'react';
import type { RuleFormat } from '../../../api/rules-queries.js';
import { formatCount } from '../../../format/count.js';
import { ChangedLines } from '../../../rules/changed-lines.js';
import { diffRules, summarizeChange } from '../../../rules/rules-change.js';
import { Section } from '../../../ui/section.js';

const USER_AGENT = 'user-agent:';

function describeFile(text: string): string {
  const lines = text.split('\n').filter((line) => line.toLowerCase().startsWith(USER_AGENT));
  const names = new Set(lines.map((line) => line.slice(USER_AGENT.length).trim()));
  names.delete('*');
  return names.size === 0 ? 'no rules for single agents' : `rules for ${formatCount(names.size)} agents`;
}

interface SiteComparisonProps {
  /** robots.txt that the site serves now. */
  served: string;
  draft: string;
  format: RuleFormat;
}

/** Compares the draft with the robots.txt that the site serves. */
export function SiteComparison({ served, draft, format }: SiteComparisonProps) {
  const change = useMemo(() => {
    const lines = served.split('\n').filter((line) => !line.startsWith('#'));
    return diffRules(lines.join('\n'), draft, format);
  }, [served, draft, format]);
  const isSame = summarizeChange(change) === '';
  return (
    <Section
      title="Compared with your site"
      lead={`Your site serves: ${describeFile(served)} · This draft: ${describeFile(draft)}`}
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
