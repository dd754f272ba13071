import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import classes from './side-navigation.module.css';
import { SmallSelect } from './small-select.js';

interface SideNavigationItem {
  key: string;
  label: string;
  /** Number of problems, shown in red after the label. */
  count?: number | undefined;
  search?: object;
  hash?: string;
}

interface SideNavigationProps {
  /** Accessible name, such as "Settings". */
  label: string;
  items: readonly SideNavigationItem[];
  /** Key of the current item. */
  current: string;
  children: ReactNode;
}

/** Sections of a page in a list on the left, or a select on narrow screens, with the current section's content. */
export function SideNavigation({ label, items, current, children }: SideNavigationProps) {
  const navigate = useNavigate();
  const toTarget = ({ search = {}, hash }: SideNavigationItem) =>
    ({ to: '.', search: search as never, hash: hash ?? '', resetScroll: false }) as const;
  return (
    <div className={classes['layout']}>
      <nav aria-label={label} className={classes['list']}>
        {items.map((item) => (
          <Link
            key={item.key}
            {...toTarget(item)}
            activeOptions={{ exact: true, includeHash: true }}
            className={classes['link']}
            aria-current={item.key === current ? 'page' : undefined}
          >
            {item.label}
            {item.count !== undefined && item.count > 0 && <span className={classes['count']}>{item.count}</span>}
          </Link>
        ))}
      </nav>
      <div className={classes['select']}>
        <SmallSelect
          aria-label={label}
          value={current}
          options={items.map(({ key, label: text }) => ({ value: key, label: text }))}
          onChange={(key) => void navigate(toTarget(items.find((item) => item.key === key)!))}
        />
      </div>
      <div className={classes['content']}>{children}</div>
    </div>
  );
}
