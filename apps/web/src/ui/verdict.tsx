import { RESULTS } from '#libs/agents/vocabulary';
import type { Result } from '../api/client.js';
import { Icon, type IconName } from './icon.js';
import classes from './verdict.module.css';

const ICONS: Record<Result, IconName> = {
  verified: 'verified',
  verification_failed: 'failed',
  not_verifiable: 'open',
  unknown_agent: 'unknown',
};

/** Icon, word and color: never by color alone. */
export function Verdict({ result }: { result: Result }) {
  return (
    <span className={classes['verdict']} data-result={result}>
      <Icon name={ICONS[result]} size={15} />
      {RESULTS[result].label}
    </span>
  );
}
