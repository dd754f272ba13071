import { getVerdictLabel } from '#libs/agents/vocabulary';
import { Icon, type IconName } from './icon.js';
import classes from './verdict.module.css';

const ICONS: Record<string, IconName> = {
  verified: 'verified',
  verification_failed: 'failed',
  not_verifiable: 'open',
  unknown_agent: 'unknown',
};

/** Verification result as an icon and text, so it doesn't depend on color. */
export function Verdict({ result }: { result: string }) {
  return (
    <span className={classes['verdict']} data-result={result}>
      <Icon name={ICONS[result] ?? 'open'} size={15} />
      {getVerdictLabel(result)}
    </span>
  );
}
