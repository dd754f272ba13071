import type { ReactNode } from 'react';
import classes from './answer.module.css';

interface AnswerProps {
  /** Sentence that answers the question that the page is opened with. */
  children: ReactNode;
  /** Dimmed remarks below the sentence. */
  notes?: ReactNode;
}

/** Lead sentence of a page. */
export function Answer({ children, notes }: AnswerProps) {
  return (
    <div className={classes['answer']}>
      <p className={classes['sentence']}>{children}</p>
      {notes && <div className={classes['notes']}>{notes}</div>}
    </div>
  );
}
