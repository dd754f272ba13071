import { SimpleGrid } from '@mantine/core';
import type { Overview, Totals } from '../../api/statistics.js';
import { Change } from '../../range/change.js';
import { formatStart } from '../../range/comparison.js';
import { formatPercent } from '../../format/change.js';
import { formatEstimate } from '../../format/count.js';
import type { FilterSet } from '../../filters/filter-set.js';
import type { RowLink } from '../../charts/bar-list.js';
import { AI_TYPES } from '../../ui/agent-types.js';
import { Figure } from '../../ui/figure.js';
import classes from './headline.module.css';

interface HeadlineProps {
  overview: Overview;
  /** Link targets for the figures, or null to render them without links. */
  links: { visits: (more: FilterSet) => RowLink; agents: RowLink | undefined } | null;
  /** Name of the comparison range, such as "the 24 hours before", or null to show no comparison. */
  before: string | null;
  /** Time of the project's first visit. Adds a note if the comparison range starts earlier. */
  firstVisit?: { at: string | null; timeZone: string } | undefined;
  /** True if counts include unknown visitors. */
  hasUnknown: boolean;
  isFiltered?: boolean;
  /** True if the overview is filtered by agent type. Hides AI visits because their share would be meaningless. */
  hasTypes?: boolean;
}

/** Returns the verified share of agent visits, or null if there are no agent visits. */
const getVerifiedShare = ({ verified, agent_visits: visits }: Totals): number | null =>
  visits === 0 ? null : verified / visits;

/** Shows a range's key figures. Each links to the visits or agents it counts. */
export function Headline(props: HeadlineProps) {
  const { overview, links, before, firstVisit, hasUnknown, isFiltered = false, hasTypes = false } = props;
  const { current, previous, sample } = overview;
  const ai = aiVisits(overview.series);
  const isEstimated = sample?.of === 'all' && sample.is_estimated;
  const formatCount = (count: number): string => formatEstimate(count, isEstimated);
  const [countKey, what] = hasUnknown
    ? (['visits', 'By agents and unknown visitors'] as const)
    : (['agent_visits', 'By known agents, including spoofed ones'] as const);
  return (
    <>
      <SimpleGrid cols={{ base: 2, sm: 3, lg: hasTypes ? 5 : 6 }} spacing="sm">
        <Figure
          label={hasUnknown ? 'Visits' : 'Agent visits'}
          what={what}
          value={formatCount(current[countKey])}
          link={links?.visits({})}
        >
          <Change current={current[countKey]} previous={previous[countKey]} before={before} />
        </Figure>
        {!hasTypes && (
          <Figure
            label="AI visits"
            what={`By AI crawlers and assistants${ai === 0 ? '' : `: ${formatPercent(ai / current.agent_visits)}`}`}
            value={formatCount(ai)}
            link={links?.visits({ type: AI_TYPES })}
          >
            <Change current={ai} previous={aiVisits(overview.previous_series)} before={before} />
          </Figure>
        )}
        <Figure
          label="Agents"
          what="Distinct agents that visited"
          value={formatCount(current.agents)}
          link={links?.agents}
        >
          <Change current={current.agents} previous={previous.agents} before={before} />
        </Figure>
        <Figure
          label="Verified share"
          what="Agent visits verified as genuine"
          value={formatPercent(getVerifiedShare(current))}
          link={links?.visits({ result: ['verified'] })}
        >
          <Change current={getVerifiedShare(current)} previous={getVerifiedShare(previous)} isShare before={before} />
        </Figure>
        <Figure
          label="Spoofed visits"
          what="Falsely claimed to be an agent"
          value={formatCount(current.verification_failed)}
          isBad={current.verification_failed > 0}
          link={links?.visits({ result: ['verification_failed'] })}
        >
          <Change current={current.verification_failed} previous={previous.verification_failed} before={before} />
        </Figure>
        <Figure
          label="Other visitors"
          what="Visits by people and unlisted agents"
          value={formatCount(current.unknown_agent)}
          link={links?.visits({ result: ['unknown_agent'] })}
        >
          <Change current={current.unknown_agent} previous={previous.unknown_agent} before={before} />
        </Figure>
      </SimpleGrid>
      <p className={classes['before']}>
        {before !== null && `Compared with ${before}${gapNote(overview, isFiltered, firstVisit)}. `}
        {SCOPE_NOTES[hasUnknown ? 'all' : 'agents']}
      </p>
    </>
  );
}

/**
 * Returns a note if the comparison range has no visits or starts before the first visit, and an empty string otherwise.
 */
function gapNote(
  { previous, compared_from: from, compared_to: to }: Overview,
  isFiltered: boolean,
  firstVisit: HeadlineProps['firstVisit'],
): string {
  if (previous.visits === 0) return isFiltered ? ', which had no matching visits' : ', which had no visits';
  const { at = null, timeZone = 'UTC' } = firstVisit ?? {};
  const isPartial = at !== null && Date.parse(at) > Date.parse(from) && Date.parse(at) < Date.parse(to);
  return isPartial ? `; the first visit was on ${formatStart(at, timeZone)}` : '';
}

const aiVisits = (series: readonly { by_type: Record<string, number> }[]): number =>
  series.reduce((sum, { by_type: byType }) => AI_TYPES.reduce((all, type) => all + (byType[type] ?? 0), sum), 0);

const SCOPE_NOTES = {
  agents: 'The chart and lists count visits by known agents.',
  all: 'The chart and lists count visits by agents and unknown visitors.',
};
