import { Link, useLocation } from '@tanstack/react-router';
import { formatCount } from '../format/count.js';
import { Icon, type IconName } from '../ui/icon.js';
import classes from './navigation.module.css';

interface PageLinkProps {
  to: string;
  label: string;
  icon: IconName;
  search?: object;
  /** Number after the label, such as unread alerts. Zero is hidden. */
  count?: number | undefined;
  /** Description of the number for screen readers, such as "unread". */
  countLabel?: string | undefined;
}

/** Link in the navigation. */
export function PageLink({ to, label, icon, search = {}, count = 0, countLabel }: PageLinkProps) {
  const { pathname } = useLocation();
  // Subpages, such as an agent's page, highlight their parent's link.
  const isCurrent =
    pathname === to ||
    (to !== '/projects' && pathname.startsWith(`${to}/`)) ||
    // The policy has several pages.
    (to.endsWith('/policy') && pathname === to.replace(/policy$/, 'robots'));
  return (
    <Link
      to={to}
      search={search as never}
      activeOptions={{ exact: true, includeSearch: false }}
      className={classes['link']}
      aria-current={isCurrent ? 'page' : undefined}
    >
      <Icon name={icon} size={16} />
      <span className={classes['label']}>{label}</span>
      {count > 0 && (
        <span className={classes['count']}>
          {formatCount(count)}
          {countLabel !== undefined && <span className="unseen"> {countLabel}</span>}
        </span>
      )}
    </Link>
  );
}
