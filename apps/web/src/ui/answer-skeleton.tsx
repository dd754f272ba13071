import { Skeleton } from '@mantine/core';
import classes from './answer.module.css';

/** Placeholder for an answer with one line of notes. On narrow screens, the sentence usually needs two lines. */
export const AnswerSkeleton = () => (
  <div className={classes['answer']}>
    <Skeleton h={18} my={4} maw={560} animate={false} />
    <Skeleton h={18} my={8} w="60%" hiddenFrom="xs" animate={false} />
    <Skeleton h={11} mt={10} mb={5} maw={420} animate={false} />
  </div>
);
