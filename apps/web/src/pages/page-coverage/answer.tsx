import { Anchor, Button, Text } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { CRAWL_PURPOSES } from '#libs/agents/vocabulary';
import type { Coverage } from '../../api/coverage.js';
import { formatPercent, NO_EARLIER_DATA } from '../../format/change.js';
import { formatCount } from '../../format/count.js';
import { Answer } from '../../ui/answer.js';
import { Columns } from '../../ui/columns.js';
import { Figure } from '../../ui/figure.js';
import { Help } from '../../ui/help.js';
import { Listing } from '../../ui/listing.js';
import { RelativeTime } from '../../ui/relative-time.js';
import { useClock } from '../../ui/use-clock.js';
import { describeFetches, PURPOSE_TEXTS, type Purpose } from './describe-fetches.js';
import type { PagesFilter } from './search.js';
import { UnfetchedFoldersSkeleton } from './unfetched-folders-skeleton.js';

const UnfetchedFolders = lazy(() => import('./unfetched-folders.js'));

const PURPOSE_ORDER = Object.keys(PURPOSE_TEXTS);
const sortPurposes = (purposes: Coverage['purposes']): Coverage['purposes'] =>
  purposes.toSorted((one, other) => PURPOSE_ORDER.indexOf(one.purpose) - PURPOSE_ORDER.indexOf(other.purpose));

const LABELS: Record<Purpose, string> = {
  training: CRAWL_PURPOSES.training.label,
  search: CRAWL_PURPOSES.search.label,
  user: CRAWL_PURPOSES.user.label,
  other: 'Other purposes',
};

/** Two weeks, the shortest time after which the state a week ago is based on a full week of visits. */
const MIN_HISTORY_MS = 14 * 86_400_000;
/** Maximum number of folders in the sentence. */
const MAX_FOLDERS = 3;

interface CoverageAnswerProps {
  projectId: string;
  coverage: Coverage;
  onOpen: (filter: PagesFilter) => void;
}

/** Sentences about the folders that no agent has fetched, and the pages that agents have. */
export function CoverageAnswer({ projectId, coverage, onOpen }: CoverageAnswerProps) {
  const { pages, purposes, folders, counted_at: countedAt } = coverage;
  if (countedAt === null) {
    return (
      <Answer notes={<p>This page updates itself.</p>}>
        Counting fetches of the {formatCount(pages)} {pages === 1 ? 'page' : 'pages'} in your sitemaps… Ready in about a
        minute.
      </Answer>
    );
  }
  const hasFetches = purposes.some(({ fetched }) => fetched > 0);
  const neverFetched = folders.filter(({ folder, agents }) => folder !== null && agents.length === 0);
  const single = neverFetched.length === 1 ? neverFetched[0] : undefined;
  return (
    <Answer
      notes={
        <>
          {hasFetches && neverFetched.length > 0 && (
            <Suspense fallback={<UnfetchedFoldersSkeleton />}>
              <UnfetchedFolders
                projectId={projectId}
                folders={neverFetched.slice(0, MAX_FOLDERS)}
                agents={coverage.agents}
              />
            </Suspense>
          )}
          {hasFetches && single?.folder != null && (
            <Button mt={6} size="xs" variant="default" onClick={() => onOpen({ folder: single.folder! })}>
              Show {single.pages === 1 ? 'the page' : `the ${formatCount(single.pages)} pages`}
            </Button>
          )}
        </>
      }
    >
      {hasFetches && neverFetched.length > 0 ? (
        <>
          No agent has fetched{' '}
          <Listing
            limit={MAX_FOLDERS}
            items={neverFetched.map(({ folder, pages: count }) => ({
              key: folder!,
              content: (
                <>
                  <Anchor component="button" inherit onClick={() => onOpen({ folder: folder! })}>
                    {folder}
                  </Anchor>{' '}
                  ({formatCount(count)} {count === 1 ? 'page' : 'pages'})
                </>
              ),
            }))}
          />
          .
        </>
      ) : (
        describeFetches(pages, sortPurposes(purposes))
      )}
      <Help about="coverage">
        All stored visits count, except those that failed verification. Updated <RelativeTime time={countedAt} />.
      </Help>
    </Answer>
  );
}

interface PurposeFiguresProps {
  coverage: Coverage;
  /** Time of the project's first visit, or null if unknown. */
  firstVisitAt: string | null;
}

/** Number and share of pages fetched for each purpose, compared with a week ago. */
export function PurposeFigures({ coverage: { pages, purposes }, firstVisitAt }: PurposeFiguresProps) {
  const now = useClock();
  const hasEarlierData = firstVisitAt !== null && now - Date.parse(firstVisitAt) >= MIN_HISTORY_MS;
  return (
    <Columns cols={{ base: 2, sm: Math.max(2, purposes.length) }} gap="sm">
      {sortPurposes(purposes).map(({ purpose, fetched, fetched_7_days_ago: earlier }) => (
        <Figure
          key={purpose}
          label={LABELS[purpose]}
          {...(purpose === 'other' && { hint: 'By SEO crawlers, monitors, and others' })}
          value={formatPercent(fetched / pages)}
          what={`${formatCount(fetched)} of ${formatCount(pages)} pages`}
        >
          <Text size="xs" c="dimmed" className="numbers" component="span">
            {hasEarlierData
              ? earlier === fetched
                ? 'same as a week ago'
                : `${formatPercent(earlier / pages)} a week ago`
              : NO_EARLIER_DATA}
          </Text>
        </Figure>
      ))}
    </Columns>
  );
}
