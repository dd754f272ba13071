import type { ReactNode } from 'react';
import classes from './visit-drawer.module.css';

/** Part of a visit's details with a heading. */
export const DrawerSection = ({ title, children }: { title: string; children: ReactNode }) => (
  <section aria-label={title}>
    <h3 className={classes['heading']}>{title}</h3>
    {children}
  </section>
);
