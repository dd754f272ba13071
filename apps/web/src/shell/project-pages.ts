import type { IconName } from '../ui/icon.js';

/** Project page. Links to pages marked `range` carry over the current page's range. */
export type NavigationPage = readonly [page: string, label: string, icon: IconName, search?: 'range'];

export interface PageGroup {
  title: string;
  pages: readonly NavigationPage[];
}

/** Project pages, grouped by what they're used for. */
export const PAGE_GROUPS: readonly PageGroup[] = [
  {
    title: 'Watch',
    pages: [
      ['overview', 'Overview', 'chart', 'range'],
      ['realtime', 'Realtime', 'live'],
      ['visits', 'Visits', 'visits', 'range'],
      ['journeys', 'Journeys', 'journeys', 'range'],
    ],
  },
  {
    title: 'Agents',
    pages: [
      ['agents', 'Agents', 'agents', 'range'],
      ['verification', 'Verification', 'verified', 'range'],
      ['unlisted', 'Unknown bots', 'unlisted', 'range'],
    ],
  },
  {
    title: 'Insights',
    pages: [
      ['coverage', 'Coverage', 'coverage'],
      ['load', 'Load', 'load', 'range'],
      ['compliance', 'Compliance', 'compliance', 'range'],
      ['referrals', 'Referrals', 'referrals', 'range'],
      ['tools', 'Tools', 'tools', 'range'],
    ],
  },
  {
    title: 'Control',
    pages: [
      ['policy', 'Policy', 'policy'],
      ['paid-crawling', 'Paid crawling', 'price', 'range'],
      ['alerts', 'Alerts', 'bell'],
      ['reports', 'Reports', 'mail'],
    ],
  },
  {
    title: 'Setup',
    pages: [
      ['get-started', 'Get started', 'start'],
      ['settings', 'Settings', 'settings'],
    ],
  },
];
