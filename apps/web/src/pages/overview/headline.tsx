import { use, type ReactNode } from 'react';
import type { Overview, Totals } from '../../api/statistics.js';
import { Change } from '../../range/change.js';
import { EarlierDataContext } from '../../range/earlier-data.js';
import { formatChangeOfFew, formatPercent } from '../../format/change.js';
import { formatEstimate } from '../../format/count.js';
import { isFiltered, type FilterSet } from '../../filters/filter-set.js';
import type { RowLink } from '../../charts/bar-list.js';
import { Columns } from '../../ui/columns.js';
import { AI_TYPES } from '../../ui/agent-types.js';
import { Figure } from '../../ui/figure.js';
import type { ChartView } from '../../charts/chart-view.js';
import { aiVisits, countAi, getShownFigures } from './shown-figures.js';
import classes from './headline.module.css';

interface HeadlineProps {
  overview: Overview;
  /** Link targets for the figures, or null to render them without links. */
  links: { visits: (more: FilterSet) => RowLink; agents: RowLink | undefined } | null;
  /** Name of the comparison range, such as "the 24 hours before", or null to show no comparison. */
  before: string | null;
  /** Day of the project's first visit, such as "Nov 1, 2026". Shown if there's no earlier data. */
  firstDay?: string | null;
  /** True if counts include unknown visitors. */
  hasUnknown: boolean;
  /** Control that changes `hasUnknown`. */
  unknownSwitch?: ReactNode;
  /** Filters of the overview. Figures that they determine are hidden. */
  filters?: FilterSet;
  /** View of the page's chart, or null if the figures can't be selected. */
  chart: { view: ChartView; onSelect: (view: ChartView) => void } | null;
}

/** Returns the verified share of agent visits, or null if there are no agent visits. */
const getVerifiedShare = ({ verified, agent_visits: visits }: Totals): number | null =>
  visits === 0 ? null : verified / visits;

/** Shows a range's key figures. Each selects what the chart shows, and links to the visits or agents it counts. */
export function Headline(props: HeadlineProps) {
  const { overview, links, before, firstDay = null, hasUnknown, unknownSwitch, filters = {}, chart } = props;
  const { current, previous, sample } = overview;
  const ai = aiVisits(overview.series);
  const isEstimated = sample?.of === 'all' && sample.is_estimated;
  const hasEarlierData = use(EarlierDataContext);
  const comparison = { before };
  const shown = getShownFigures(overview, filters);
  const formatCount = (count: number): string => formatEstimate(count, isEstimated);
  const countKey = hasUnknown ? 'visits' : 'agent_visits';
  const trends = (toValue: (item: SeriesItem) => number | null): number[] | undefined => {
    const values = overview.series.map(toValue);
    return values.every((value) => value !== null) ? values : undefined;
  };
  const selectable = (view: ChartView, others: readonly ChartView[] = []) =>
    chart === null
      ? {}
      : { onSelect: () => chart.onSelect(view), isSelected: chart.view === view || others.includes(chart.view) };
  return (
    <>
      <Columns cols={{ base: 2, sm: Math.min(3, shown.count), lg: shown.count }} gap="sm">
        <Figure
          label={hasUnknown ? 'Visits' : 'Agent visits'}
          hint={
            hasUnknown ? 'By agents and unknown visitors' : 'By known agents, including visits that failed verification'
          }
          value={formatCount(current[countKey])}
          link={links?.visits({})}
          trend={trends(hasUnknown ? countAll : countAgents)}
          {...selectable('type', ['status'])}
        >
          <Change current={current[countKey]} previous={previous[countKey]} {...comparison} />
        </Figure>
        {shown.hasAi && (
          <Figure
            label="AI visits"
            hint={`By AI crawlers and assistants${ai === 0 ? '' : `: ${formatPercent(ai / current.agent_visits)}`}`}
            value={formatCount(ai)}
            link={links?.visits({ type: AI_TYPES })}
            trend={trends(countAi)}
            {...selectable('ai')}
          >
            <Change current={ai} previous={aiVisits(overview.previous_series)} {...comparison} />
          </Figure>
        )}
        {shown.hasAgents && (
          <Figure
            label="Agents"
            hint="Distinct agents that visited"
            value={formatCount(current.agents)}
            link={links?.agents}
            {...selectable('agents')}
          >
            <Change current={current.agents} previous={previous.agents} format={formatChangeOfFew} {...comparison} />
          </Figure>
        )}
        {shown.hasVerdicts && (
          <Figure
            label="Verified share"
            hint="Agent visits verified as genuine"
            value={formatPercent(getVerifiedShare(current))}
            link={links?.visits({ result: ['verified'] })}
            trend={trends(getItemVerifiedShare)}
            trendColor="var(--bar-verified)"
            {...selectable('verdict')}
          >
            <Change
              current={getVerifiedShare(current)}
              previous={getVerifiedShare(previous)}
              isShare
              good="up"
              {...comparison}
            />
          </Figure>
        )}
        {shown.hasVerdicts && (
          <Figure
            label="Failed verification"
            hint="Claimed to be an agent, but the address or signature is wrong"
            value={formatCount(current.verification_failed)}
            isBad={current.verification_failed > 0}
            link={links?.visits({ result: ['verification_failed'] })}
            trend={trends(countSpoofed)}
            trendColor="var(--bar-failed)"
            {...selectable('spoofed')}
          >
            <Change
              current={current.verification_failed}
              previous={previous.verification_failed}
              good="down"
              {...comparison}
            />
          </Figure>
        )}
        {shown.hasOthers && (
          <Figure
            label="Unknown visitors"
            hint="Visits by people and unknown bots"
            value={formatCount(current.unknown_agent)}
            link={links?.visits({ result: ['unknown_agent'] })}
            trend={trends(countOthers)}
            trendColor="var(--kind-unknown)"
            {...selectable('others')}
          >
            <Change current={current.unknown_agent} previous={previous.unknown_agent} {...comparison} />
          </Figure>
        )}
      </Columns>
      <div className={classes['before']}>
        <p>
          {before !== null &&
            (hasEarlierData
              ? `Compared with ${before}${previous.visits > 0 ? '' : isFiltered(filters) ? ', which had no matching visits' : ', which had no visits'}. `
              : `Not enough history to compare${firstDay === null ? '' : `: the first visit was recorded on ${firstDay}`}. `)}
          {shown.hasAi && 'AI visits are those by AI crawlers, assistants, and agents.'}
        </p>
        {unknownSwitch}
      </div>
    </>
  );
}

type SeriesItem = Overview['series'][number];

const countAll = ({ visits }: SeriesItem): number => visits;
const countOthers = ({ by_type: byType }: SeriesItem): number => byType[''] ?? 0;
const countAgents = (item: SeriesItem): number => item.visits - countOthers(item);
/** Returns null if the overview was loaded without visits by result. */
const countSpoofed = ({ by_result: byResult }: SeriesItem): number | null =>
  byResult === undefined ? null : (byResult['verification_failed'] ?? 0);
const getItemVerifiedShare = (item: SeriesItem): number | null =>
  item.by_result === undefined ? null : (item.by_result['verified'] ?? 0) / (countAgents(item) || 1);
