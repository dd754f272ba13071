import { useId, type ReactNode } from 'react';
import classes from './help.module.css';

interface HelpProps {
  /** Subject for screen readers, as in "About conflicts". */
  about: string;
  children: ReactNode;
}

/** "?" button that opens an explanation. It needs no script: the browser opens and closes the popover. */
export function Help({ about, children }: HelpProps) {
  const id = useId();
  return (
    <span className={classes['help']}>
      <button type="button" className={classes['button']} popoverTarget={id} aria-label={`About ${about}`}>
        ?
      </button>
      <span id={id} popover="auto" role="note" aria-label={`About ${about}`} className={classes['panel']}>
        {children}
      </span>
    </span>
  );
}
