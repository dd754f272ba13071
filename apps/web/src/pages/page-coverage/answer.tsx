import { Anchor } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { CRAWL_PURPOSES } from '#libs/agents/vocabulary';
import type { Coverage } from '../../api/coverage.js';
import { formatPercent } from '../../format/change.js';
import { formatCount } from '../../format/count.js';
import { Answer } from '../../ui/answer.js';
import { Columns } from '../../ui/columns.js';
import { Figure } from '../../ui/figure.js';
import { Help } from '../../ui/help.js';
import { Listing } from '../../ui/listing.js';
import { RelativeTime } from '../../ui/relative-time.js';
import { describeFetches, PURPOSE_TEXTS, type Purpose } from './describe-fetches.js';
import type { PagesFilter } from './search.js';

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
  return (
    <Answer
      notes={
        <>
          {hasFetches && neverFetched.length > 0 && (
            <Suspense fallback={<p>&nbsp;</p>}>
              <UnfetchedFolders
                projectId={projectId}
                folders={neverFetched.slice(0, MAX_FOLDERS)}
                agents={coverage.agents}
              />
            </Suspense>
          )}
          <p>
            Updated <RelativeTime time={countedAt} />.
          </p>
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
      <Help about="coverage">All stored visits count, except those that failed verification.</Help>
    </Answer>
  );
}

/** Number and share of pages fetched for each purpose. */
export const PurposeFigures = ({ coverage: { pages, purposes } }: { coverage: Coverage }) => (
  <Columns cols={{ base: 2, sm: Math.max(2, purposes.length) }} gap="sm">
    {sortPurposes(purposes).map(({ purpose, fetched, fetched_last_7_days: recent }) => (
      <Figure
        key={purpose}
        label={LABELS[purpose]}
        {...(purpose === 'other' && { hint: 'By SEO crawlers, monitors, and others' })}
        value={formatPercent(fetched / pages)}
        what={`${formatCount(fetched)} of ${formatCount(pages)} pages fetched, ${recent === fetched ? 'all' : formatCount(recent)} in the last 7 days`}
      />
    ))}
  </Columns>
);
