import { Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { formatTimeSpan } from '#libs/contracts/time-span';
import {
  alertPreviewQuery,
  alertPreviewsKey,
  type AlertKind,
  type AlertPreview as Preview,
  type NewAlert,
} from '../../api/alerts.js';
import { toErrorMessage, type Project } from '../../api/client.js';
import { formatTime } from '../../format/time.js';
import { AlertChart, findFired } from './alert-chart.js';
import { explainPeriods, isMet } from './alert-explanation.js';
import { formatPreview } from './alert-text.js';
import classes from './alert-preview.module.css';

const PREVIEW_DELAY_MS = 500;
/** Number of the chart's periods in the last 24 hours. */
const LAST_DAY_PERIODS = 4;
const MAX_EVENTS = 3;

interface AlertPreviewProps {
  project: Project;
  kind: AlertKind;
  body: NewAlert;
  /** Hint about missing input, or null if the input is complete. */
  lacking?: string | null;
  /** Number of times that a saved alert fired in the last 30 days. */
  firedCount?: number;
}

/** Shows how often an alert would have fired in the last 30 days, and explains when it wouldn't have. */
export function AlertPreview({ project, kind, body, lacking = null, firedCount }: AlertPreviewProps) {
  const { id } = project;
  // Channels don't affect the preview.
  const alertJson = lacking === null ? JSON.stringify({ ...body, channel_ids: null }) : '';
  const [debouncedJson] = useDebouncedValue(alertJson, PREVIEW_DELAY_MS);
  const debouncedBody = debouncedJson === '' ? body : (JSON.parse(debouncedJson) as NewAlert);
  const preview = useQuery({
    ...alertPreviewQuery(id, debouncedBody),
    enabled: alertJson !== '' && debouncedJson !== '',
  });
  const queryClient = useQueryClient();
  useEffect(() => () => void queryClient.cancelQueries({ queryKey: alertPreviewsKey(id) }), [queryClient, id]);
  return (
    <div className={classes['preview']}>
      <Text size="xs" c="dimmed">
        {kind.sentence}
      </Text>
      <Text size="sm" fw={500} role="status">
        {lacking ?? stateText(preview, firedCount)}
      </Text>
      {lacking === null && preview.data && kind.kind === debouncedBody.kind && (
        <Outcome
          key={debouncedJson}
          project={project}
          kind={kind}
          body={debouncedBody}
          preview={preview.data}
          firedCount={firedCount}
        />
      )}
    </div>
  );
}

interface OutcomeProps {
  project: Project;
  kind: AlertKind;
  body: NewAlert;
  preview: Preview;
  firedCount: number | undefined;
}

function Outcome({ project: { time_zone: zone }, kind, body, preview, firedCount }: OutcomeProps) {
  const { chart, events } = preview;
  const [selected, select] = useState<number | null>(null);
  const isActual = firedCount === events.length;
  const condition = { ...kind.defaults, ...body };
  const fired = findFired(preview);
  const describe = (index: number | null): string => {
    const periods = index === null ? chart.slice(-LAST_DAY_PERIODS) : [chart[index]!];
    const time =
      index === null
        ? chart.length === 0
          ? 'the last 30 days'
          : 'the last 24 hours'
        : new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone: zone }).formatRange(
            Date.parse(chart[index]!.time),
            index + 1 < chart.length ? Date.parse(chart[index + 1]!.time) : Date.parse(preview.to),
          );
    const hasFired =
      index === null ? chart.some((_, at) => at >= chart.length - LAST_DAY_PERIODS && fired.has(at)) : fired.has(index);
    const reason = explainPeriods(kind, condition, periods);
    if (hasFired) return `It ${isActual ? 'fired' : 'would have fired'} in ${time}: ${reason}.`;
    return periods.some((period) => isMet(period, kind.test))
      ? `It ${isActual ? 'stayed' : 'would have stayed'} quiet in ${time}, because it was still firing or in its cool-down (${formatTimeSpan(condition.cooldown_minutes)}): ${reason}.`
      : `It ${isActual ? 'didn’t fire' : 'wouldn’t have fired'} in ${time}: ${reason}.`;
  };
  const hasExplanation = chart.length > 0 || events.length === 0;
  return (
    <>
      <AlertChart
        preview={preview}
        isActual={isActual}
        timeZone={zone}
        selected={selected}
        onSelect={select}
        describe={describe}
      />
      {hasExplanation && (
        <Text size="sm" className={classes['reason']}>
          {describe(selected)}
        </Text>
      )}
      {selected === null &&
        events.slice(0, MAX_EVENTS).map((event) => (
          <Text key={`${event.fired_at} ${event.subject}`} size="xs" c="dimmed">
            {formatTime(event.fired_at, zone, { dateStyle: 'medium', timeStyle: 'short' })}: {event.text}
          </Text>
        ))}
    </>
  );
}

function stateText({ error, data }: { error: Error | null; data: Preview | undefined }, firedCount?: number): string {
  if (error !== null) return `Couldn’t load the preview. ${toErrorMessage(error)}`;
  return data === undefined ? 'Checking the last 30 days …' : formatPreview(data.events.length, 30, firedCount);
}
