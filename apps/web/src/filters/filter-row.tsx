import type { ReactNode } from 'react';
import classes from './filter-bar.module.css';

/** Row of filter chips and controls below a page's title. */
export const FilterRow = ({ children }: { children: ReactNode }) => <div className={classes['bar']}>{children}</div>;
