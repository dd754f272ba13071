import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { PageHeader } from '../../ui/page-header.js';
import type { PolicyView, RobotsSearch, RobotsView } from './robots/search.js';
import classes from './policy-head.module.css';

type View = 'rules' | PolicyView | RobotsView;

const POLICY = '/projects/$projectId/policy';
const ROBOTS = '/projects/$projectId/robots';
const TABS: readonly { view: View; to: typeof POLICY | typeof ROBOTS; label: string }[] = [
  { view: 'rules', to: POLICY, label: 'Agents' },
  { view: 'proof', to: POLICY, label: 'Prove it' },
  { view: 'robots', to: ROBOTS, label: 'robots.txt' },
  { view: 'signals', to: ROBOTS, label: 'Signals & licenses' },
  { view: 'proxy', to: ROBOTS, label: 'Connect your proxy' },
  { view: 'lab', to: POLICY, label: 'Lab' },
  { view: 'advanced', to: POLICY, label: 'Advanced' },
];

interface PolicyHeadProps {
  projectId: string;
  view: View;
  /** Unsaved selection of the robots.txt page. */
  search: Omit<RobotsSearch, 'view'>;
}

/** Title and navigation of the policy's pages. */
export function PolicyHead({ projectId, view, search }: PolicyHeadProps) {
  const tabs = useRef<HTMLElement>(null);
  // Narrow screens don't show all tabs.
  useEffect(() => {
    const selected = tabs.current?.querySelector<HTMLElement>('[aria-current]');
    if (tabs.current === null || selected == null) return;
    tabs.current.scrollLeft = selected.offsetLeft - (tabs.current.clientWidth - selected.offsetWidth) / 2;
  }, [view]);
  return (
    <div>
      <PageHeader title="Policy" />
      <nav ref={tabs} aria-label="Policy" className={classes['tabs']}>
        {TABS.map(({ view: tab, to, label }) => (
          <Link
            key={tab}
            to={to}
            params={{ projectId }}
            search={{ ...search, view: tab === 'rules' ? undefined : tab } as never}
            className={classes['tab']}
            // By default, the router also marks links whose path matches.
            activeOptions={{ exact: true, includeSearch: true }}
            aria-current={tab === view ? 'page' : undefined}
          >
            {label}
          </Link>
        ))}
      </nav>
    </div>
  );
}
