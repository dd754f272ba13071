import type { ReactNode } from 'react';
import { RESULTS } from '#libs/agents/vocabulary';
import { formatPercent } from '../format/change.js';
import { formatCount } from '../format/count.js';
import { Change } from '../range/change.js';
import { Figure } from '../ui/figure.js';
import type { RowLink } from './bar-list.js';
import classes from './verdict-figures.module.css';
import { VERDICT_COLORS, type AgentResult, type VerdictCounts } from './verdict-series.js';

interface VerdictFiguresProps {
  results: readonly AgentResult[];
  counts: VerdictCounts;
  previous: VerdictCounts;
  /** Counts over time. */
  series: readonly VerdictCounts[];
  /** False if the agent has no verification method, so it's no news that its visits can't be verified. */
  isVerifiable?: boolean;
  /** Name of the comparison range, or null for none. */
  before: string | null;
  toLink: (result: AgentResult) => RowLink;
  /** Figures before the verdicts. */
  children?: ReactNode;
}

/** Key figures for the number and share of visits with each verdict. */
export function VerdictFigures(props: VerdictFiguresProps) {
  const { results, counts, previous, series, isVerifiable = true, before, toLink, children } = props;
  const total = counts.verified + counts.not_verifiable + counts.verification_failed;
  return (
    <div className={classes['figures']}>
      {children}
      {results.map((result) => (
        <Figure
          key={result}
          label={`${RESULTS[result].label}${total === 0 ? '' : ` · ${formatPercent(counts[result] / total)}`}`}
          value={formatCount(counts[result])}
          link={counts[result] === 0 ? undefined : toLink(result)}
          isBad={result === 'verification_failed' && counts[result] > 0}
          trend={series.map((item) => item[result])}
          trendColor={VERDICT_COLORS[result]}
        >
          <Change
            current={counts[result]}
            previous={previous[result]}
            before={before}
            {...((result === 'verification_failed' || (result === 'not_verifiable' && isVerifiable)) && {
              good: 'down',
            })}
          />
        </Figure>
      ))}
    </div>
  );
}
