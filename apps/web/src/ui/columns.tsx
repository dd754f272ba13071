import type { CSSProperties, ReactNode } from 'react';
import classes from './columns.module.css';

interface ColumnsProps {
  /** Number of columns by minimum screen width. */
  cols: { base: number; xs?: number; sm?: number; md?: number; lg?: number; xl?: number };
  gap?: 'xs' | 'sm' | 'md' | 'lg';
  children: ReactNode;
}

/** Grid of equally wide columns. */
export function Columns({ cols, gap = 'md', children }: ColumnsProps) {
  const style = Object.fromEntries(Object.entries(cols).map(([width, count]) => [`--${width}`, count]));
  return (
    <div className={classes['columns']} style={{ ...style, gap: `var(--mantine-spacing-${gap})` } as CSSProperties}>
      {children}
    </div>
  );
}
