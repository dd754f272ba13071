import { SimpleGrid } from '@mantine/core';
import { Link, linkOptions, type LinkProps } from '@tanstack/react-router';
import type { Overview, Totals } from '../../api/statistics.js';
import { Change } from '../../range/change.js';
import { percentText } from '../../format/change.js';
import { listLink } from '../../range/list-link.js';
import classes from './headline.module.css';

export interface HeadlineProps {
  projectId: string;
  overview: Overview;
  /** What it is compared with. */
  before: string;
}

/** Of agents' visits, those that are proven; of none there is no share. */
const shareOf = ({ verified, agent_visits: visits }: Totals): number | null =>
  visits === 0 ? null : verified / visits;

/** The four numbers of a range, each with how it was before, each leading to what it counts. */
export function Headline({ projectId, overview, before }: HeadlineProps) {
  const { from, to, current, previous } = overview;
  const visits = listLink(projectId, overview);
  return (
    <>
      <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
        <Figure label="Visits" value={current.visits.toLocaleString('en')} link={visits({})}>
          <Change current={current.visits} previous={previous.visits} before={before} />
        </Figure>
        <Figure
          label="Agents"
          value={current.agents.toLocaleString('en')}
          link={linkOptions({ to: '/projects/$projectId/agents', params: { projectId }, search: { from, to } })}
        >
          <Change current={current.agents} previous={previous.agents} before={before} />
        </Figure>
        <Figure
          label="Verified agent visits"
          value={percentText(shareOf(current))}
          link={visits({ result: 'verified' })}
        >
          <Change current={shareOf(current)} previous={shareOf(previous)} isShare before={before} />
        </Figure>
        <Figure
          label="Spoofed visits"
          value={current.verification_failed.toLocaleString('en')}
          isBad={current.verification_failed > 0}
          link={visits({ result: 'verification_failed' })}
        >
          <Change current={current.verification_failed} previous={previous.verification_failed} before={before} />
        </Figure>
      </SimpleGrid>
      <p className={classes['before']}>Compared with {before}.</p>
    </>
  );
}

interface FigureProps {
  label: string;
  value: string;
  link: Pick<LinkProps, 'to' | 'params' | 'search'>;
  isBad?: boolean;
  children: React.ReactNode;
}

function Figure({ label, value, link, isBad = false, children }: FigureProps) {
  return (
    <div className={classes['figure']}>
      <div className={classes['label']}>{label}</div>
      <Link {...link} className={`${classes['value']} numbers`} data-bad={isBad || undefined}>
        {value}
        <span className="unseen"> {label}: show them</span>
      </Link>
      {children}
    </div>
  );
}
