import { Loader, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { journeyQuery, type Journey } from '../../api/journeys.js';
import { formatCount } from '../../format/count.js';
import { formatFilterValue } from '../../filters/format-filter-value.js';
import { formatTime } from '../../format/time.js';
import { formatDuration } from '../../format/duration.js';
import { listLink } from '../../range/list-link.js';
import type { LinkedRange } from '../../range/range.js';
import { DescriptionList } from '../../ui/description-list.js';
import { Failure } from '../../ui/failure.js';
import { formatFullTime } from '../../ui/relative-time.js';
import { SideDrawer } from '../../ui/side-drawer.js';
import { TextLink } from '../../ui/text-link.js';
import { Verdict } from '../../ui/verdict.js';
import classes from './session-drawer.module.css';
import { VISITOR_LABELS } from './search.js';
import { describeDistinction, getVisitorName } from './session-table.js';

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
            <DescriptionList
              facts={[
                ['Visitor', VISITOR_LABELS[journey.visitor]],
                ['Type', journey.agent_type_name],
                ['Operator', journey.operator_name],
                ['Verdict', <Verdict key="verdict" result={journey.result} />],
                [journey.distinguished_by === 'network' ? 'Network' : 'Identity', describeDistinction(journey)],
                ['Started', formatFullTime(journey.started_at, timeZone)],
                ['Ended', formatFullTime(journey.ended_at, timeZone)],
                ['Duration', journey.visits > 1 ? formatDuration(journey.duration_ms) : null],
                ['Visits', formatCount(journey.visits)],
              ]}
            />
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
            data-dead={isError(step) ? 'error' : step.is_loop ? 'loop' : undefined}
            data-checkout={isCheckout(step) || undefined}
          >
            <span className={classes['time']}>
              <time dateTime={step.occurred_at} title={step.occurred_at}>
                {formatTime(step.occurred_at, timeZone, { timeStyle: 'medium' })}
              </time>
              {step.gap_ms !== null && <span className={classes['gap']}> +{formatDuration(step.gap_ms)}</span>}
            </span>
            <span className={classes['request']}>
              {step.method}{' '}
              <TextLink {...link({ visit: step.visit_id })} size="sm">
                {step.path}
              </TextLink>
            </span>
            <span className={classes['status']}>
              {[
                step.status === null ? 'Status not reported' : String(step.status),
                ...(step.is_loop ? ['loop'] : []),
                ...step.kinds.filter((kind) => kind !== 'page').map(formatFilterValue),
                ...(index === firstCheckout ? ['checkout'] : []),
              ].join(', ')}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

type Step = Journey['steps'][number];

const isError = ({ status }: Step): boolean => status !== null && status >= 400 && status < 600;
const isCheckout = ({ kinds }: Step): boolean => kinds.some((kind) => kind === 'acp' || kind === 'ucp');
