import { Button, UnstyledButton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link, linkOptions } from '@tanstack/react-router';
import { lazy, Suspense, use, useState, type ReactNode } from 'react';
import { AgentActions } from '../../actions/agent-actions.js';
import { findRuleForAll } from '../../actions/agent-rule.js';
import { useBlockingRule } from '../../actions/use-blocking-rule.js';
import type { Project } from '../../api/client.js';
import { policyQuery } from '../../api/policy.js';
import { newsQuery, type News, type NewsItem, type Overview } from '../../api/statistics.js';
import { formatCount, formatVisitCount } from '../../format/count.js';
import { EarlierDataContext } from '../../range/earlier-data.js';
import { describeCausesOrSpread, toCauseFilters } from '../../range/change-causes.js';
import { getClaims } from '../../range/claims.js';
import { agentFilter, agentLink, agentsLink, listLink, rangeSearch } from '../../range/list-link.js';
import type { LinkedRange } from '../../range/range.js';
import type { RangePageProps } from '../../range/range-page.js';
import type { ShownRange } from '../../range/use-range.js';
import { toFilters } from '../../filters/visit-filters.js';
import { useClock } from '../../ui/use-clock.js';
import { Icon, type IconName } from '../../ui/icon.js';
import type { AgentVisits, MainCause } from './main-cause.js';
import { findNextProblem } from './next-step.js';
import { addRecentProblems, listChanges, splitBySeverity, type AgentChange, type CommonRise } from './news-order.js';
import { toNewsRequests } from './news-requests.js';
import { commonRiseText, newsText } from './news-text.js';
import type { NewsLink } from './news-link.js';
import { isChangeExplained } from './overview-answer.js';
import { describeSpike, formatSpikeDay } from './spikes.js';
import type { ExplainedSpike } from './use-spikes.js';
import classes from './whats-new.module.css';

const UpdateLists = lazy(() =>
  import('../../actions/update-lists.js').then((module) => ({ default: module.UpdateLists })),
);

type Answer<T> = RangePageProps<T>['answer'];

/** Number of items in each list shown until "Show all" is clicked. */
const MAX_COLLAPSED_ITEMS = 5;
const MAX_COLLAPSED_ITEMS_ON_PHONES = 3;

const DAY_MS = 86_400_000;
/** Ranges that are longer can hide the last day's problems. */
const MAX_DETAILED_RANGE_MS = 2 * DAY_MS;
/** Ranges that end now include the current quarter hour. */
const QUARTER_MS = 900_000;

/**
 * Withholds the page's data until the news has loaded, so that the news doesn't push the content down. Must be called
 * by the page itself, because `WhatsNew` would fetch the news again when it mounts. Long ranges that end now also get
 * the news of the last 24 hours.
 */
export function useNews<T>(answer: Answer<T>, projectId: string, range: ShownRange) {
  const now = useClock();
  const to = Date.parse(range.to);
  const isLong = to - Date.parse(range.from) > MAX_DETAILED_RANGE_MS && to >= now && to - now <= QUARTER_MS;
  const lastDay = { from: new Date(to - DAY_MS).toISOString(), to: range.to };
  const { isPending, data: news } = useQuery(newsQuery(projectId, range));
  // The next step depends on the policy.
  const { isPending: isPolicyPending } = useQuery(policyQuery(projectId));
  const { isLoading, data: recent } = useQuery({ ...newsQuery(projectId, lastDay), enabled: isLong });
  return {
    answer: isPending || isLoading || isPolicyPending ? { ...answer, data: undefined } : answer,
    news: news ?? null,
    recent: (isLong && recent) || null,
  };
}

interface WhatsNewProps {
  project: Project;
  /** Null if the request failed. */
  news: News | null;
  /** News of the last 24 hours of a longer range, or null. */
  recent: News | null;
  spikes: readonly ExplainedSpike[];
  /** The largest changes of its top agents fill the list. */
  overview: Overview;
  timeZone: string;
  /** Time range for the links. */
  linked: LinkedRange;
  /** Name of the comparison range. Default: "the previous period". */
  before: string | null;
}

interface RangeNews {
  news: News;
  recent: News | null;
  projectId: string;
  linked: LinkedRange;
}

/** Returns a range's problems and changes, most severe first, and what links to each of them. */
export function listNews({ news, recent, projectId, linked }: RangeNews) {
  const all = addRecentProblems(news.items, recent?.items ?? []);
  const [problems, changes] = splitBySeverity(all.items);
  const isRecent = (item: NewsItem): boolean => recent !== null && all.recent.has(item);
  const getContext = (item: NewsItem) =>
    isRecent(item) ? { news: recent!, linked: { range: '24h' } as const } : { news, linked };
  return {
    problems,
    changes,
    isRecent,
    getContext,
    toLink: (item: NewsItem) => getLink(item, projectId, getContext(item)),
  };
}

/** Lists problems and changes in a range, most severe first. */
export function WhatsNew(props: WhatsNewProps) {
  const { project, news, recent, spikes, overview, timeZone, linked, before } = props;
  const now = useClock();
  const hasEarlierData = use(EarlierDataContext);
  const { data: policy } = useQuery(policyQuery(props.project.id));
  if (news === null) return null;
  const { problems, changes, isRecent, getContext, toLink } = listNews({ news, recent, projectId: project.id, linked });
  // The answer above has a button for it.
  const next = policy && findNextProblem(problems, policy, project.role === 'viewer');
  const toRow = (item: NewsItem) => (
    <NewsRow
      key={getKey(item)}
      project={project}
      item={item}
      isRecent={isRecent(item)}
      hasButton={item !== next}
      text={newsText(item, { timeZone, now })}
      link={toLink(item)}
      timeZone={timeZone}
      {...getContext(item)}
    />
  );
  // The answer above already describes the highest day.
  const otherSpikes = isChangeExplained(overview, before !== null && hasEarlierData) ? spikes : spikes.slice(1);
  const isComparable = (item: NewsItem): boolean => hasEarlierData || !('previous_visits' in item);
  const topAgents = before === null || !hasEarlierData ? [] : overview.top_agents;
  const changeRows = listChanges(changes.filter(isComparable), problems, topAgents).map((change) =>
    'kind' in change ? (
      toRow(change)
    ) : (
      <CommonRiseRow
        key={change.item.network}
        rise={change}
        agentsLink={agentsLink(project.id, linked)}
        visitsLink={toLink(change.item)}
      />
    ),
  );
  const spikeRows = otherSpikes.map((spike) => (
    <SpikeRow key={spike.from} spike={spike} project={project} timeZone={timeZone} />
  ));
  // Nothing is left to do about blocked visits.
  const isBlocked = (item: NewsItem): boolean => {
    const requests = toNewsRequests(item);
    return requests.length > 0 && findRuleForAll(policy?.rules ?? [], requests)?.isLive === true;
  };
  const sorted = problems.toSorted((one, other) => Number(isBlocked(one)) - Number(isBlocked(other)));
  return (
    <div className={classes['lists']} data-stacked={spikeRows.length + changeRows.length < 2 || undefined}>
      <NewsList title="Needs attention" rows={sorted.map(toRow)} empty="Nothing needs attention." />
      {spikeRows.length + changeRows.length > 0 && (
        <NewsList
          title={changeRows.length > 0 ? 'What changed' : 'Unusual days'}
          className={classes['changes']}
          // Days with many visits are compared with the range's other days.
          {...(changeRows.length > 0 && { lead: `vs. ${before ?? 'the previous period'}` })}
          rows={[...spikeRows, ...changeRows]}
        />
      )}
    </div>
  );
}

interface NewsListProps {
  title: string;
  className?: string | undefined;
  lead?: string;
  rows: readonly ReactNode[];
  empty?: string;
}

function NewsList({ title, className = '', lead, rows, empty }: NewsListProps) {
  const [isExpanded, setExpanded] = useState(false);
  const isPhone = useMediaQuery('(max-width: 36em)', false, { getInitialValueInEffect: false });
  const max = isPhone ? MAX_COLLAPSED_ITEMS_ON_PHONES : MAX_COLLAPSED_ITEMS;
  return (
    <section aria-label={title} className={`${classes['strip']} ${className}`}>
      <div className={classes['head']}>
        <h2 className={classes['title']}>{title}</h2>
        <span className={classes['lead']}>{lead}</span>
        {rows.length > max && (
          <UnstyledButton
            fz="xs"
            c="var(--mantine-color-anchor)"
            aria-expanded={isExpanded}
            onClick={() => setExpanded(!isExpanded)}
          >
            {isExpanded ? 'Show fewer' : `Show all ${rows.length}`}
          </UnstyledButton>
        )}
      </div>
      {rows.length === 0 ? (
        <p className={classes['fine']}>
          <Icon name="check" size={15} /> {empty}
        </p>
      ) : (
        <ul className={classes['items']}>{rows.slice(0, isExpanded ? undefined : max)}</ul>
      )}
    </section>
  );
}

interface SpikeRowProps {
  spike: ExplainedSpike;
  project: Project;
  timeZone: string;
}

/** Day with unusually many visits, linked to its own overview. A network that explains it can be blocked. */
function SpikeRow({ spike, project, timeZone }: SpikeRowProps) {
  const { from, to, cause, type } = spike;
  const title = `Visits on ${formatSpikeDay(spike, timeZone)} ${describeSpike(spike)}`;
  const source = cause !== null && 'kind' in cause.source && 'network' in cause.source ? cause.source : null;
  const link = cause && linkToCause(cause, project.id, { from, to });
  return (
    <li className={classes['item']}>
      <Icon name="chart" size={15} />
      <div className={classes['text']}>
        <Link
          to="/projects/$projectId/overview"
          params={{ projectId: project.id }}
          search={{ from, to }}
          className={classes['link']}
        >
          {title}
        </Link>
        {(link ?? type) !== null && (
          <span className={classes['why']}>
            {link === null ? `mostly ${type}` : <Link {...link}>mostly because of {cause!.subject}</Link>}
          </span>
        )}
      </div>
      {source !== null && link !== null && (
        <span className={classes['actions']}>
          <AgentActions
            project={project}
            loadFinding={async () =>
              (await import('./news-finding.js')).toNewsFinding(source, { title, range: { from, to }, timeZone, link })
            }
            of={title}
            isCompact
            canBlock
            requests={toNewsRequests(source)}
          />
        </span>
      )}
    </li>
  );
}

interface CommonRiseRowProps {
  rise: CommonRise;
  agentsLink: NewsLink;
  visitsLink: NewsLink;
}

/** Agents with more visits because of one network, linked to the agents and to the network's visits. */
const CommonRiseRow = ({ rise, agentsLink: agents, visitsLink: visits }: CommonRiseRowProps) => (
  <li className={classes['item']}>
    <Icon name="up" size={15} />
    <div className={classes['text']}>
      <Link {...agents} className={classes['link']}>
        {commonRiseText(rise)}
      </Link>
      <span className={classes['why']}>
        <Link {...visits}>
          {rise.item.network} posed as them in {formatVisitCount(rise.item.visits)}
        </Link>
      </span>
    </div>
  </li>
);

interface NewsRowProps extends Pick<WhatsNewProps, 'project' | 'timeZone'> {
  item: NewsItem;
  /** True if the item is only about the last 24 hours. */
  isRecent: boolean;
  /** False to omit the button for the main action, because the page has it elsewhere. */
  hasButton: boolean;
  text: string;
  link: NewsLink;
  linked: LinkedRange;
  news: News;
}

function NewsRow(props: NewsRowProps) {
  const { project, item, isRecent, hasButton, text, link, linked, news, timeZone } = props;
  const why = item.kind === 'agent_change' ? describeWhy(item) : null;
  const whyLink = item.kind === 'agent_change' ? getCauseLink(item, project.id, linked) : null;
  const requests = toNewsRequests(item);
  // Nothing is left to do about blocked visits.
  const isBlocked = useBlockingRule(project.id, requests)?.isLive === true;
  return (
    <li className={classes['item']} data-kind={isBlocked ? undefined : item.kind}>
      <Icon name={isBlocked ? 'check' : getIcon(item)} size={15} />
      <div className={classes['text']}>
        {isRecent && <span className={classes['recent']}>Last 24 h</span>}
        <Link {...link} className={classes['link']}>
          {text}
        </Link>
        {why !== null && (
          <span className={classes['why']}>{whyLink === null ? why : <Link {...whyLink}>{why}</Link>}</span>
        )}
      </div>
      <span className={classes['actions']}>
        {item.kind === 'address_lists' ? (
          <Suspense>
            <UpdateLists />
          </Suspense>
        ) : (
          <>
            {hasButton && REQUEST_KINDS.has(item.kind) && (
              <Button component={Link} {...(link as object)} size="compact-sm" variant="default">
                Show requests<span className="unseen">: {text}</span>
              </Button>
            )}
            <AgentActions
              project={project}
              loadFinding={async () =>
                (await import('./news-finding.js')).toNewsFinding(item, { title: text, range: news, timeZone, link })
              }
              of={text}
              isCompact
              canBlock={hasButton && BLOCKABLE_KINDS.has(item.kind)}
              requests={requests}
            />
          </>
        )}
      </span>
    </li>
  );
}

function describeWhy({ visits, causes, verification_failed: spoofed = 0 }: AgentChange): string | null {
  if (spoofed === 0) return describeCausesOrSpread(causes);
  return spoofed === visits ? 'all failed verification' : `including ${formatCount(spoofed)} that failed verification`;
}

/** Problems to look into by reading the requests. */
const REQUEST_KINDS: ReadonlySet<string> = new Set(['errors', 'robots_refused'] satisfies NewsItem['kind'][]);

/** Kinds of harm that a rule can stop. */
const BLOCKABLE_KINDS: ReadonlySet<string> = new Set(['spoofing', 'impersonation'] satisfies NewsItem['kind'][]);

const getKey = (item: NewsItem): string =>
  `${item.kind} ${'agent_id' in item ? item.agent_id : ''} ${'status' in item ? item.status : ''} ${'network' in item ? item.network : ''}`;

function getIcon(item: NewsItem): IconName {
  if (item.kind === 'agent_change') return item.visits > item.previous_visits ? 'up' : 'down';
  const icons = {
    silence: 'pause',
    outage: 'pause',
    errors: 'alert',
    spoofing: 'failed',
    impersonation: 'failed',
    robots_refused: 'robots',
    new_agent: 'plus',
    address_lists: 'catalog',
  } as const;
  return icons[item.kind];
}

/** Returns a link to the visits of a network, or to the page of an agent. */
export function linkToCause({ source }: MainCause, projectId: string, linked: LinkedRange): NewsLink {
  if (!('kind' in source) || !('network' in source))
    return agentLink(projectId, (source as AgentVisits).agent_id, linked);
  return listLink(projectId, linked)(toFilters(getClaims(source)));
}

/** Returns filters for an agent's visits, excluding spoofed ones. */
const getGenuineVisits = (item: Parameters<typeof agentFilter>[0]) =>
  toFilters({ agent: [agentFilter(item)], not_result: ['verification_failed'] });

/** Returns filters for the visits that an item about a change counts. */
const getChangedVisits = (item: AgentChange) =>
  (item.verification_failed ?? 0) > 0 ? toFilters({ agent: [agentFilter(item)] }) : getGenuineVisits(item);

/** Returns a link to the visits that explain most of a rise, or null if they have no network in common. */
function getCauseLink(
  item: Extract<NewsItem, { kind: 'agent_change' }>,
  projectId: string,
  linked: LinkedRange,
): NewsLink | null {
  const filters = toCauseFilters(item.causes);
  if (filters.address === undefined || item.visits < item.previous_visits) return null;
  return listLink(projectId, linked)({ ...getGenuineVisits(item), address: filters.address[0]! });
}

const addHours = (time: string, hours: number): string => new Date(Date.parse(time) + hours * 3_600_000).toISOString();

/** Returns a link to the visits behind an item, or to a page that helps to fix the problem. */
function getLink(item: NewsItem, projectId: string, { linked, news }: { linked: LinkedRange; news: News }): NewsLink {
  const visits = listLink(projectId, linked);
  switch (item.kind) {
    case 'silence':
      return linkOptions({ to: '/projects/$projectId/get-started', params: { projectId } });
    case 'outage':
      return listLink(projectId, { from: addHours(item.from, -1), to: addHours(item.to, 1) })({});
    case 'errors':
      return listLink(
        projectId,
        item.period === null ? linked : { from: item.period.from, to: item.period.to },
      )(toFilters({ status: [item.status], not_result: ['unknown_agent'] }));
    case 'spoofing':
      return item.networks === 1
        ? visits(toFilters(getClaims(item)))
        : linkOptions({ to: '/projects/$projectId/verification', params: { projectId }, search: rangeSearch(linked) });
    case 'impersonation':
      return visits(toFilters(getClaims(item)));
    case 'robots_refused':
      // The visit list can't be filtered by content type, so it also contains the agents' other successful requests.
      return visits(
        toFilters({
          page: ['/robots.txt'],
          status: [item.answers.html > 0 ? '2xx' : '202', '4xx', '5xx'],
          not_status: ['404', '410'],
          ...(item.agents.length === item.agent_count && { agent: item.agents.map(agentFilter) }),
          not_result: ['verification_failed', 'unknown_agent'],
        }),
      );
    case 'new_agent':
      return visits(getGenuineVisits(item));
    case 'agent_change':
      // An agent that no longer visits has no visits in the range, so link to the comparison range instead.
      return item.visits > 0
        ? visits(getChangedVisits(item))
        : listLink(projectId, { from: news.compared_from, to: news.compared_to })(getGenuineVisits(item));
    case 'address_lists':
      return linkOptions({ to: '/system', hash: 'address-lists' });
  }
}
