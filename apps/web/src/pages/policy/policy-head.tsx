import { Link } from '@tanstack/react-router';
import { PageHeader } from '../../ui/page-header.js';
import type { RobotsSearch } from './robots/search.js';
import classes from './policy-head.module.css';

type PolicyView = 'rules' | 'lab' | 'robots' | 'signals' | 'proxy';

interface PolicyHeadProps {
  projectId: string;
  view: PolicyView;
  /** Unsaved selection of the robots.txt page. */
  search: Omit<RobotsSearch, 'view'>;
}

/** Title and navigation of the policy's pages. */
export function PolicyHead({ projectId, view, search }: PolicyHeadProps) {
  const params = { projectId };
  const current = (other: PolicyView) => ({
    className: classes['tab'],
    // By default, the router also marks links whose path matches.
    activeOptions: { exact: true, includeSearch: true },
    'aria-current': other === view ? ('page' as const) : undefined,
  });
  return (
    <div>
      <PageHeader title="Policy" />
      <nav aria-label="Policy" className={classes['tabs']}>
        <Link
          to="/projects/$projectId/policy"
          params={params}
          search={{ ...search, view: undefined }}
          {...current('rules')}
        >
          Rules
        </Link>
        <Link
          to="/projects/$projectId/robots"
          params={params}
          search={{ ...search, view: 'robots' }}
          {...current('robots')}
        >
          robots.txt
        </Link>
        <Link
          to="/projects/$projectId/robots"
          params={params}
          search={{ ...search, view: 'signals' }}
          {...current('signals')}
        >
          Signals & licenses
        </Link>
        <Link
          to="/projects/$projectId/robots"
          params={params}
          search={{ ...search, view: 'proxy' }}
          {...current('proxy')}
        >
          Connect your proxy
        </Link>
        <Link to="/projects/$projectId/policy" params={params} search={{ ...search, view: 'lab' }} {...current('lab')}>
          Lab
        </Link>
      </nav>
    </div>
  );
}
