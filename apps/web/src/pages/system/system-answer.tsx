import { useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { pipelineQuery, type System } from '../../api/system-queries.js';
import { formatBytes } from '../../format/bytes.js';
import { formatCount } from '../../format/count.js';
import { Answer } from '../../ui/answer.js';
import { TextLink } from '../../ui/text-link.js';
import { useClock } from '../../ui/use-clock.js';
import { findProblems } from './problems.js';

/** Sums up the instance's health. Links to the sections with problems. */
export function SystemAnswer({ system }: { system: System }) {
  const { data: pipeline } = useQuery(pipelineQuery);
  const problems = findProblems(system, pipeline, useClock());
  const isRunning = (pipeline?.state ?? 'running') === 'running';
  return (
    <Answer notes={<p>{describeStorage(system)}</p>}>
      {problems.length === 0 && 'Everything works.'}
      {problems.length > 0 && isRunning && 'Visits are being processed, but '}
      {problems.map(({ text, hash }, index) => (
        <Fragment key={text}>
          {index > 0 && (index < problems.length - 1 ? ', ' : problems.length > 2 ? ', and ' : ' and ')}
          <TextLink inherit to="/system" hash={hash} resetScroll={false}>
            {index === 0 && !isRunning ? text.charAt(0).toUpperCase() + text.slice(1) : text}
          </TextLink>
        </Fragment>
      ))}
      {problems.length > 0 && '.'}
    </Answer>
  );
}

function describeStorage({ disk }: System): string {
  const waiting = disk.visit_store.pending_batches + disk.outbox.messages;
  const state =
    waiting === 0
      ? 'All received visits are stored.'
      : `${formatCount(waiting)} ${waiting === 1 ? 'batch is' : 'batches are'} waiting to be stored.`;
  return `${state} The database uses ${formatBytes(disk.database_bytes)}.`;
}
