import { Card } from '@mantine/core';
import { CRAWL_PURPOSES } from '#libs/agents/vocabulary';
import type { Coverage, CoverageAgent } from '../../api/coverage.js';
import { BarList } from '../../charts/bar-list.js';
import { formatPercent } from '../../format/change.js';
import { formatCount } from '../../format/count.js';
import { Answer } from '../../ui/answer.js';
import { Help } from '../../ui/help.js';
import { Listing } from '../../ui/listing.js';
import { RelativeTime } from '../../ui/relative-time.js';

type Purpose = CoverageAgent['purpose'];

const PURPOSE_TEXTS: Record<Purpose, string> = {
  training: 'for training',
  search: 'for search',
  user: 'for users',
  other: 'for other purposes',
};

const PURPOSE_ORDER = Object.keys(PURPOSE_TEXTS);
const sortPurposes = (purposes: Coverage['purposes']): Coverage['purposes'] =>
  purposes.toSorted((one, other) => PURPOSE_ORDER.indexOf(one.purpose) - PURPOSE_ORDER.indexOf(other.purpose));

const getLabel = (purpose: Purpose): string => (purpose === 'other' ? 'Other' : CRAWL_PURPOSES[purpose].label);

/** Sentence about how many pages of the sitemaps agents have fetched. */
export function CoverageAnswer({ coverage }: { coverage: Coverage }) {
  const { pages, purposes, counted_at: countedAt } = coverage;
  return (
    <Answer
      notes={
        countedAt !== null && (
          <p>
            Counted <RelativeTime time={countedAt} />.
          </p>
        )
      }
    >
      Of the {formatCount(pages)} {pages === 1 ? 'page' : 'pages'} in your sitemaps,{' '}
      <Listing
        items={sortPurposes(purposes).map(({ purpose, fetched }, index) => ({
          key: purpose,
          content: `${fetched === 0 ? 'none' : formatCount(fetched)}${index === 0 ? (fetched === 1 ? ' was fetched' : ' were fetched') : ''} ${PURPOSE_TEXTS[purpose]}`,
        }))}
      />
      .<Help about="coverage">All stored visits count, except those that failed verification.</Help>
    </Answer>
  );
}

/** Chart of the share of pages fetched by purpose. */
export function PurposeBars({ coverage: { pages, purposes } }: { coverage: Coverage }) {
  if (purposes.length === 0) return null;
  return (
    <Card withBorder>
      <BarList
        title="Pages fetched by purpose"
        empty="No pages were fetched."
        bars={sortPurposes(purposes).map(({ purpose, fetched }) => ({
          key: purpose,
          label: getLabel(purpose),
          visits: fetched,
          text: `${formatCount(fetched)} · ${formatPercent(fetched / pages)}`,
        }))}
      />
    </Card>
  );
}
