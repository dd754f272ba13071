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

/** The number of visits is an estimate, so more digits would be misleading. */
const APPROXIMATE = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 2 });

function describeStorage({ disk, retention }: System): string {
  const today = new Date().toISOString().slice(0, 10);
  const visits = disk.partitions.find(({ day }) => day === today)?.visits ?? 0;
  const waiting = disk.visit_store.pending_batches + disk.outbox.messages;
  const perDay = (retention.bytes_per_day ?? 0) + (retention.unknown_bytes_per_day ?? 0);
  return [
    visits === 0
      ? 'No visits received today (UTC).'
      : `About ${APPROXIMATE.format(visits)} visits by agents and people were received today (UTC).`,
    waiting > 0 ? `${formatCount(waiting)} batches waiting to be stored.` : visits > 0 && 'All of them are stored.',
    `The database uses ${formatBytes(disk.database_bytes)}${perDay > 0 ? ` and grows by about ${formatBytes(perDay)} a day until old visits are deleted` : ''}.`,
  ]
    .filter((sentence) => sentence !== false)
    .join(' ');
}
