import type { Verification } from '../../api/statistics.js';
import { AGENT_RESULTS } from '../../charts/verdict-series.js';
import { formatPercent } from '../../format/change.js';
import { formatCount } from '../../format/count.js';
import { Change } from '../../range/change.js';
import { listLink } from '../../range/list-link.js';
import type { LinkedRange } from '../../range/range.js';
import { TextLink } from '../../ui/text-link.js';
import { Verdict } from '../../ui/verdict.js';
import classes from './verdict-counts.module.css';
import { sumVerdicts } from './verdicts.js';

interface VerdictCountsProps {
  projectId: string;
  verification: Verification;
  range: LinkedRange;
  /** Name of the comparison range, or null for none. */
  before: string | null;
}

/** Number and share of the visits with each verdict. */
export function VerdictCounts({ projectId, verification, range, before }: VerdictCountsProps) {
  const visits = listLink(projectId, range);
  const counts = sumVerdicts(verification.series);
  const previous = sumVerdicts(verification.previous_series);
  const total = AGENT_RESULTS.reduce((sum, result) => sum + counts[result], 0);
  return (
    <ul className={classes['counts']}>
      {AGENT_RESULTS.map((result) => (
        <li key={result}>
          <Verdict result={result} />
          <span className={`${classes['value']} numbers`}>
            {counts[result] === 0 ? (
              '0'
            ) : (
              <TextLink {...visits({ result })} inherit c="inherit" underline="hover">
                {formatCount(counts[result])}
                <span className="unseen"> visits</span>
              </TextLink>
            )}
          </span>
          <span className={classes['share']}>{formatPercent(counts[result] / total)} of visits</span>
          {counts[result] + previous[result] > 0 && (
            <Change
              current={counts[result]}
              previous={previous[result]}
              before={before}
              {...(result === 'verification_failed' && { good: 'down' })}
            />
          )}
        </li>
      ))}
    </ul>
  );
}
