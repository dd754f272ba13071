import { Fragment, type ReactNode } from 'react';
import classes from './description-list.module.css';

/** List of terms and values. Omits empty values and renders nothing if all are empty. */
export function DescriptionList({ facts }: { facts: readonly (readonly [term: string, value: ReactNode])[] }) {
  const nonEmptyFacts = facts.filter(
    ([, value]) => value !== null && value !== undefined && value !== false && value !== '',
  );
  if (nonEmptyFacts.length === 0) return null;
  return (
    <dl className={classes['list']}>
      {nonEmptyFacts.map(([term, value]) => (
        <Fragment key={term}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}
