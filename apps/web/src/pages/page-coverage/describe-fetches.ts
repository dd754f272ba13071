import type { CoverageAgent } from '../../api/coverage.js';
import { formatCount } from '../../format/count.js';

const LIST = new Intl.ListFormat('en-US');

export type Purpose = CoverageAgent['purpose'];

/** Number of pages fetched for a purpose. */
interface PurposeCount {
  purpose: Purpose;
  fetched: number;
}

export const PURPOSE_TEXTS: Record<Purpose, string> = {
  training: 'for training',
  search: 'for search',
  user: 'because a person asked',
  other: 'for other purposes',
};

/** Returns a sentence about the number of pages fetched for each purpose. */
export function describeFetches(pages: number, purposes: readonly PurposeCount[]): string {
  if (purposes.every(({ fetched }) => fetched === 0)) {
    return pages === 1
      ? 'No agent has fetched the page in your sitemaps.'
      : `No agent has fetched any of the ${formatCount(pages)} pages in your sitemaps.`;
  }
  if (pages === 1) {
    const fetchedFor = purposes.filter(({ fetched }) => fetched > 0).map(({ purpose }) => PURPOSE_TEXTS[purpose]);
    return `The page in your sitemaps was fetched ${LIST.format(fetchedFor)}.`;
  }
  const parts = purposes.map(({ purpose, fetched }, index) =>
    [
      fetched === 0 ? 'none' : fetched === pages ? 'all' : formatCount(fetched),
      index === 0 && (fetched === 1 ? 'was fetched' : 'were fetched'),
      PURPOSE_TEXTS[purpose],
    ]
      .filter(Boolean)
      .join(' '),
  );
  return `Of the ${formatCount(pages)} pages in your sitemaps, ${LIST.format(parts)}.`;
}
