import { SimpleGrid } from '@mantine/core';
import type { Overview, Totals } from '../../api/statistics.js';
import { Change } from '../../range/change.js';
import { startText } from '../../range/comparison.js';
import { percentText } from '../../format/change.js';
import { approximateText } from '../../format/count.js';
import type { FilterSet } from '../../filters/filter-set.js';
import type { RowLink } from '../../charts/bar-list.js';
import { AI_TYPES } from '../../ui/agent-types.js';
import { Figure } from '../../ui/figure.js';
import classes from './headline.module.css';

interface HeadlineProps {
  overview: Overview;
  /** Link targets of the figures, or null for figures without links. */
  links: { visits: (more: FilterSet) => RowLink; agents: RowLink | undefined } | null;
  /** Name of the comparison range, such as "the 24 hours before", or null for no comparison. */
  before: string | null;
  /** The project's first visit, used to point out an incomplete comparison range. */
  firstVisit?: { at: string | null; timeZone: string } | undefined;
  /** True if unknown visitors are counted, too. */
  hasUnknown: boolean;
  isFiltered?: boolean;
  /** True if the overview is filtered by agent type. Hides the AI visits: their share would be meaningless. */
  hasTypes?: boolean;
}

/** Returns the verified share of agent visits, or null without agent visits. */
const shareOf = ({ verified, agent_visits: visits }: Totals): number | null =>
  visits === 0 ? null : verified / visits;

/** Main figures of a range, each with its change and a link to the items it counts. */
export function Headline(props: HeadlineProps) {
  const { overview, links, before, firstVisit, hasUnknown, isFiltered = false, hasTypes = false } = props;
  const { current, previous, sample } = overview;
  const ai = aiVisits(overview.series);
  const isEstimated = sample?.of === 'all' && sample.is_estimated;
  const text = (count: number): string => approximateText(count, isEstimated);
  const [counted, what] = hasUnknown
    ? (['visits', 'By agents and unknown visitors'] as const)
    : (['agent_visits', 'By known agents, spoofed ones included'] as const);
  return (
    <>
      <SimpleGrid cols={{ base: 2, sm: 3, lg: hasTypes ? 5 : 6 }} spacing="sm">
        <Figure
          label={hasUnknown ? 'Visits' : 'Agent visits'}
          what={what}
          value={text(current[counted])}
          link={links?.visits({})}
        >
          <Change current={current[counted]} previous={previous[counted]} before={before} />
        </Figure>
        {!hasTypes && (
          <Figure
            label="AI visits"
            what={`By AI crawlers and assistants${ai === 0 ? '' : `: ${percentText(ai / current.agent_visits)}`}`}
            value={text(ai)}
            link={links?.visits({ type: AI_TYPES })}
          >
            <Change current={ai} previous={aiVisits(overview.previous_series)} before={before} />
          </Figure>
        )}
        <Figure label="Agents" what="Distinct agents that visited" value={text(current.agents)} link={links?.agents}>
          <Change current={current.agents} previous={previous.agents} before={before} />
        </Figure>
        <Figure
          label="Verified share"
          what="Of agent visits, proven genuine"
          value={percentText(shareOf(current))}
          link={links?.visits({ result: ['verified'] })}
        >
          <Change current={shareOf(current)} previous={shareOf(previous)} isShare before={before} />
        </Figure>
        <Figure
          label="Spoofed visits"
          what="Claimed to be an agent they are not"
          value={text(current.verification_failed)}
          isBad={current.verification_failed > 0}
          link={links?.visits({ result: ['verification_failed'] })}
        >
          <Change current={current.verification_failed} previous={previous.verification_failed} before={before} />
        </Figure>
        <Figure
          label="Other visitors"
          what="Visits by people and unlisted agents"
          value={text(current.unknown_agent)}
          link={links?.visits({ result: ['unknown_agent'] })}
        >
          <Change current={current.unknown_agent} previous={previous.unknown_agent} before={before} />
        </Figure>
      </SimpleGrid>
      <p className={classes['before']}>
        {before !== null && `Compared with ${before}${gapText(overview, isFiltered, firstVisit)}. `}
        {WHAT_COUNTS[hasUnknown ? 'all' : 'agents']}
      </p>
    </>
  );
}

/** Returns a note if the comparison range has no visits, or only some because the project is newer. */
function gapText(
  { previous, compared_from: from, compared_to: to }: Overview,
  isFiltered: boolean,
  firstVisit: HeadlineProps['firstVisit'],
): string {
  if (previous.visits === 0) return isFiltered ? ', which had no such visits' : ', which had no visits';
  const { at = null, timeZone = 'UTC' } = firstVisit ?? {};
  const isPartial = at !== null && Date.parse(at) > Date.parse(from) && Date.parse(at) < Date.parse(to);
  return isPartial ? `; visits began on ${startText(at, timeZone)}` : '';
}

const aiVisits = (series: readonly { by_type: Record<string, number> }[]): number =>
  series.reduce((sum, { by_type: byType }) => AI_TYPES.reduce((all, type) => all + (byType[type] ?? 0), sum), 0);

const WHAT_COUNTS = {
  agents: 'The chart and the lists count visits of known agents.',
  all: 'The chart and the lists count visits of agents and of unknown visitors.',
};
