import type { ReactNode } from 'react';
import classes from './plain-table.module.css';
import stacked from './stacked-table.module.css';

/** Around a table that may be wider than the window; reached by keyboard, since it scrolls. On a phone each row is a block. */
export function Scroller({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={classes['scroller']} tabIndex={0} role="region" aria-label={label}>
      <table className={`${classes['table']} ${stacked['table']}`}>{children}</table>
    </div>
  );
}
