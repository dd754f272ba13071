import { Loader, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { journeyQuery, type Journey } from '../../api/journeys.js';
import { formatCount, formatVisitCount } from '../../format/count.js';
import { formatFilterValue } from '../../filters/format-filter-value.js';
import { formatTime } from '../../format/time.js';
import { formatDuration } from '../../format/duration.js';
import { listLink } from '../../range/list-link.js';
import type { LinkedRange } from '../../range/range.js';
import { Failure } from '../../ui/failure.js';
import { formatFullTime } from '../../ui/relative-time.js';
import { SideDrawer } from '../../ui/side-drawer.js';
import { TextLink } from '../../ui/text-link.js';
import { Verdict } from '../../ui/verdict.js';
import classes from './session-drawer.module.css';
import { VISITOR_LABELS } from './session-filters.js';
import { DeadEnds, describeDistinction, getVisitorName } from './session-table.js';

interface SessionDrawerProps {
  projectId: string;
  /** Session ID. */
  id: string;
  linked: LinkedRange;
  timeZone: string;
  onClose: () => void;
}

/** A session's path through the site as a timeline. */
export default function SessionDrawer({ projectId, id, linked, timeZone, onClose }: SessionDrawerProps) {
  const { data: journey, error } = useQuery(journeyQuery(projectId, id));
  return (
    <SideDrawer title={journey === undefined ? 'Session' : `Session of ${getVisitorName(journey)}`} onClose={onClose}>
      <Stack>
        {error !== null && <Failure error={error} title="Couldn't load the session" />}
        {journey === undefined && error === null && <Loader size="sm" role="status" aria-label="Loading the session" />}
        {journey !== undefined && (
          <>
            <div className={classes['summary']}>
              <Verdict result={journey.result} />
              <span>
                {[VISITOR_LABELS[journey.visitor], journey.operator_name, describeDistinction(journey)]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
            </div>
            <div>
              <Text fw={500}>
                {formatVisitCount(journey.visits)}
                {journey.visits > 1 && ` in ${formatDuration(journey.duration_ms)}`},{' '}
                {formatFullTime(journey.started_at, timeZone)}
              </Text>
              <DeadEnds session={journey} />
            </div>
            {journey.visits > 1 && <Strip journey={journey} />}
            {journey.started_earlier && <Text size="sm">The session started earlier. This is only its last part.</Text>}
            {journey.distinguished_by === 'none' && (
              <Text size="sm">Addresses aren’t stored for these visits, so they can be from several visitors.</Text>
            )}
            <Timeline projectId={projectId} journey={journey} linked={linked} timeZone={timeZone} />
          </>
        )}
      </Stack>
    </SideDrawer>
  );
}

interface TimelineProps {
  projectId: string;
  journey: Journey;
  linked: LinkedRange;
  timeZone: string;
}

function Timeline({ projectId, journey: { steps }, linked, timeZone }: TimelineProps) {
  const link = listLink(projectId, linked);
  const firstCheckout = steps.findIndex(isCheckout);
  return (
    <section aria-label="Path">
      <h2 className={classes['title']}>Path</h2>
      {firstCheckout > 0 && (
        <Text size="xs" c="dimmed">
          {formatCount(firstCheckout)} {firstCheckout === 1 ? 'request' : 'requests'} before the checkout
        </Text>
      )}
      <ol className={classes['steps']}>
        {steps.map((step, index) => (
          <li
            key={step.visit_id}
            className={classes['step']}
            data-dead={getDeadEnd(step)}
            data-checkout={isCheckout(step) || undefined}
          >
            {step.gap_ms !== null && step.gap_ms >= MIN_GAP_MS && (
              <span className={classes['gap']}>{formatDuration(step.gap_ms)} later</span>
            )}
            <time className={classes['time']} dateTime={step.occurred_at} title={step.occurred_at}>
              {formatTime(step.occurred_at, timeZone, { timeStyle: 'medium' })}
            </time>
            <span className={classes['request']}>
              {step.method !== 'GET' && `${step.method} `}
              <TextLink {...link({ visit: step.visit_id })} size="sm">
                {step.path}
              </TextLink>
            </span>
            <span className={classes['status']}>
              {[
                ...(step.is_loop ? ['loop'] : []),
                ...step.kinds.filter((kind) => kind !== 'page').map(formatFilterValue),
                ...(index === firstCheckout ? ['checkout'] : []),
                step.status === null ? 'Status not reported' : String(step.status),
              ].join(', ')}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

const STRIP_WIDTH = 600;
const STRIP_HEIGHT = 16;

/** Visits of a session along a time axis. */
function Strip({ journey: { steps } }: { journey: Journey }) {
  const times = steps.map((step) => Date.parse(step.occurred_at));
  const [start, end] = [Math.min(...times), Math.max(...times)];
  const toX = (time: number): number => 2 + ((time - start) / Math.max(1, end - start)) * (STRIP_WIDTH - 4);
  return (
    <svg
      className={classes['strip']}
      viewBox={`0 0 ${STRIP_WIDTH} ${STRIP_HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <rect className={classes['axis']} y={STRIP_HEIGHT / 2 - 1} width={STRIP_WIDTH} height="2" />
      {steps.map((step, index) => (
        <rect
          key={step.visit_id}
          className={classes['tick']}
          data-dead={getDeadEnd(step)}
          x={toX(times[index]!) - 1.5}
          width="3"
          height={STRIP_HEIGHT}
        />
      ))}
    </svg>
  );
}

type Step = Journey['steps'][number];

/** Shorter pauses aren't shown. */
const MIN_GAP_MS = 60_000;

const isError = ({ status }: Step): boolean => status !== null && status >= 400 && status < 600;
const getDeadEnd = (step: Step): 'error' | 'loop' | undefined =>
  isError(step) ? 'error' : step.is_loop ? 'loop' : undefined;
const isCheckout = ({ kinds }: Step): boolean => kinds.some((kind) => kind === 'acp' || kind === 'ucp');
