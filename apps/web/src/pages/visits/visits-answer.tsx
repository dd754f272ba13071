import { Box, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { describeVisits, IDENTIFICATION_RESULTS } from '#libs/agents/vocabulary';
import { toUntrusted } from '../../actions/finding.js';
import { newsQuery } from '../../api/statistics.js';
import { excludeUnknown, type FilterSet } from '../../filters/filter-set.js';
import { isFiltered, toFilters, toTimelineQuery } from '../../filters/visit-filters.js';
import { formatEstimate, formatVisitCount } from '../../format/count.js';
import { describeChange } from '../../format/describe-change.js';
import { getClaims, type Impersonation } from '../../range/claims.js';
import { describeComparison } from '../../range/comparison.js';
import { describeRange } from '../../range/describe-range.js';
import { useEarlierData } from '../../range/earlier-data.js';
import { agentFilter, listLink } from '../../range/list-link.js';
import { linkedRange } from '../../range/range.js';
import type { ShownRange } from '../../range/use-range.js';
import { Answer } from '../../ui/answer.js';
import { Listing } from '../../ui/listing.js';
import { TextLink } from '../../ui/text-link.js';
import type { VisitsSearch } from './search.js';
import { useVisitCount } from './use-past-visits.js';
import { LIST_OPTIONS, visitsQuery } from './visits-query.js';

const QUARTER_HOUR_MS = 900_000;
const MAX_NAMED = 2;

interface VisitsAnswerProps {
  projectId: string;
  search: VisitsSearch;
  shown: ShownRange;
  /** False if visits by unknown visitors are only counted, so they aren't in the list. */
  hasUnknown: boolean;
}

/** Sums up the listed visits: their number, its change, and the network that poses as several agents. */
export function VisitsAnswer({ projectId, search, shown, hasUnknown }: VisitsAnswerProps) {
  const { data: overview, isError } = useQuery(visitsQuery(projectId, search, shown));
  const hasEarlierData = useEarlierData(projectId, overview, shown);
  const raid = useRaid(projectId, search, shown);
  // The counts are by quarter hour, so those of other ranges would contain visits that aren't in the list.
  const isAligned = [shown.from, shown.to].every((time) => Date.parse(time) % QUARTER_HOUR_MS === 0);
  if (isError || !isAligned) return null;
  if (overview === undefined || raid === undefined) {
    return (
      <Box h={isFiltered(search) ? { base: 78, sm: 26 } : { base: 130, sm: 52 }}>
        <Skeleton h={18} my={4} maw={560} animate={false} />
      </Box>
    );
  }
  const { current, previous, sample } = overview;
  if (current.visits === 0) return null;
  const set = toTimelineQuery(search) as FilterSet;
  const hasFilters = isFiltered(search);
  const format = (count: number): string => formatEstimate(count, sample?.is_estimated === true);
  const link = (to: FilterSet, content: ReactNode) => (
    <TextLink {...listLink(projectId, linkedRange(search, shown))(toFilters(to))} inherit>
      {content}
    </TextLink>
  );
  const [visits, before] = hasFilters
    ? [current.visits, previous.visits]
    : [current.agent_visits, previous.agent_visits];
  const comparison = describeComparison(search, shown.timeZone);
  const results = IDENTIFICATION_RESULTS.filter((result) => current[result] > 0);
  return (
    <Answer>
      {hasFilters ? (
        <>
          {formatVisitCount(visits, format(visits))} {visits === 1 ? 'matches' : 'match'} the filters
        </>
      ) : (
        <>{link(excludeUnknown(set), formatVisitCount(visits, format(visits)))} by agents</>
      )}{' '}
      {describeRange(search)}
      {comparison !== null && (
        <span title={`Compared with ${comparison}`}>
          , {hasEarlierData ? describeChange(visits, before) : 'with no earlier data to compare'}
        </span>
      )}
      {raid !== null && (
        <>
          . {link(raid.filters, format(raid.visits))} of them came from {raid.network}
          {set.agent === undefined && (
            <>
              , which claimed to be{' '}
              <Listing items={raid.agents.map((name) => ({ key: name, content: name }))} limit={MAX_NAMED} />
            </>
          )}
        </>
      )}
      {hasFilters && raid === null && results.length > 1 && (
        <>
          :{' '}
          <Listing
            items={results.map((result) => ({
              key: result,
              content: (
                <>
                  {link({ ...set, result: [result] }, format(current[result]))} {describeVisits(result)}
                </>
              ),
            }))}
          />
        </>
      )}
      .
      {!hasFilters && hasUnknown && current.unknown_agent > 0 && (
        <> Unknown visitors made {link({ result: ['unknown_agent'] }, `${format(current.unknown_agent)} more`)}.</>
      )}
    </Answer>
  );
}

/** Listed visits from a network that claimed to be agents of several operators. */
interface Raid {
  network: string;
  /** Tokens of the agents that the network claimed to be. */
  agents: readonly string[];
  visits: number;
  filters: FilterSet;
}

/** Returns the listed visits from the most active such network, null if there are none, or undefined while loading. */
function useRaid(projectId: string, search: VisitsSearch, shown: ShownRange): Raid | null | undefined {
  const set = toTimelineQuery(search) as FilterSet;
  const isPossible =
    set.address === undefined &&
    set.not_address === undefined &&
    (set.result === undefined || set.result.some((result) => toUntrusted(result).result !== undefined));
  const { data: news } = useQuery({ ...newsQuery(projectId, shown), ...LIST_OPTIONS, enabled: isPossible });
  const item = news?.items
    .filter((one): one is Impersonation => one.kind === 'impersonation')
    .filter(({ agents }) => set.agent === undefined || agents.some((agent) => set.agent!.includes(agentFilter(agent))))
    .toSorted((one, other) => other.visits - one.visits)[0];
  const filters = item === undefined ? {} : { ...getClaims(item), ...set };
  const { data: count, isError } = useVisitCount(projectId, toFilters(filters), shown, item !== undefined);
  if (!isPossible || news === null || isError) return null;
  if (news === undefined) return undefined;
  if (item === undefined) return null;
  if (count === undefined) return undefined;
  if (!count.is_exact || !count.visits) return null;
  const agents = item.agents.flatMap(({ agent_token: token }) => token ?? []);
  return { network: item.network, agents, visits: count.visits, filters };
}
