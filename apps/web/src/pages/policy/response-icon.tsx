import { Icon, type IconName } from '../../ui/icon.js';
import type { ControlKind } from '../../rules/controls.js';
import classes from './policy.module.css';

const ICONS: Record<ControlKind | 'redirect', IconName> = {
  allow: 'check',
  ask: 'robots',
  slow_down: 'load',
  redirect: 'referrals',
  charge: 'price',
  refuse: 'block',
};

interface ResponseIconProps {
  kind: keyof typeof ICONS;
  /** Dims the icon. */
  isDryRun?: boolean;
}

/** Icon of a response in the color that it has in the charts. */
export const ResponseIcon = ({ kind, isDryRun = false }: ResponseIconProps) => (
  <span className={classes['icon']} data-response={kind} data-dry-run={isDryRun || undefined}>
    <Icon name={ICONS[kind]} size={16} />
  </span>
);
