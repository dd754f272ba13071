import type { Result } from '../api/client.js';
import { Icon, type IconName } from './icon.js';
import classes from './verdict.module.css';

export const VERDICTS: Record<Result, { word: string; icon: IconName; meaning: string }> = {
  verified: { word: 'Verified', icon: 'verified', meaning: 'A known agent, and it is proven.' },
  verification_failed: {
    word: 'Spoofed',
    icon: 'failed',
    meaning: 'It claims to be a known agent, and there is proof against it, or its signature does not hold.',
  },
  not_verifiable: {
    word: 'Not verifiable',
    icon: 'open',
    meaning: 'It claims to be a known agent, and nothing says yes or no.',
  },
  unknown_agent: {
    word: 'Unknown',
    icon: 'unknown',
    meaning: 'A person, or an agent that the catalog does not know.',
  },
};

/** Icon, word and colour: never by colour alone. */
export function Verdict({ result }: { result: Result }) {
  const { word, icon } = VERDICTS[result];
  return (
    <span className={classes['verdict']} data-result={result}>
      <Icon name={icon} size={15} />
      {word}
    </span>
  );
}
