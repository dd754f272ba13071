import { Fragment, type ReactNode } from 'react';
import { formatCount } from '../format/count.js';

interface ListingProps {
  items: readonly { key: string; content: ReactNode }[];
  /** Maximum number of items. The others are counted, as in "and 3 more". Default: no limit. */
  limit?: number;
}

/** Joins items into a phrase, as in "one, two, and three". */
export function Listing({ items, limit = Infinity }: ListingProps) {
  const rest = items.length - limit;
  const parts = rest > 0 ? [...items.slice(0, limit), { key: 'rest', content: `${formatCount(rest)} more` }] : items;
  const comma = parts.length > 2 ? ', ' : ' ';
  return parts.map(({ key, content }, index) => (
    <Fragment key={key}>
      {index > 0 && (index === parts.length - 1 ? `${comma}and ` : comma)}
      {content}
    </Fragment>
  ));
}
