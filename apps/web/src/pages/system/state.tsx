import { Icon, type IconName } from '../../ui/icon.js';
import classes from './system.module.css';

const STATES: Record<string, [word: string, icon: IconName, color: string]> = {
  ok: ['Operational', 'check', 'var(--verified)'],
  degraded: ['Degraded', 'open', 'var(--open)'],
  unavailable: ['Unavailable', 'failed', 'var(--failed)'],
  silent: ['Not reporting', 'failed', 'var(--failed)'],
};

export function State({ state }: { state: string }) {
  const [word, icon, color] = STATES[state] ?? [state, 'open', 'var(--open)'];
  return (
    <span className={classes['state']} style={{ color }}>
      <Icon name={icon} size={15} />
      {word}
    </span>
  );
}
