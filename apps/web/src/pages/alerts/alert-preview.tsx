import { Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { alertPreviewQuery, alertPreviewsKey, type NewAlert } from '../../api/alerts.js';
import { toErrorMessage, type Project } from '../../api/client.js';
import { formatFullTime } from '../../ui/relative-time.js';
import { AlertChart } from './alert-chart.js';
import { formatPreview } from './alert-text.js';

const PREVIEW_DELAY_MS = 500;

interface AlertPreviewProps {
  project: Project;
  body: NewAlert;
  /** Hint about missing input, or null if the input is complete. */
  lacking: string | null;
}

/** Shows how often an alert would have fired in the last 30 days. */
export function AlertPreview({ project: { id, time_zone: zone }, body, lacking }: AlertPreviewProps) {
  // Channels don't affect the preview.
  const alertJson = lacking === null ? JSON.stringify({ ...body, channel_ids: null }) : '';
  const [debouncedJson] = useDebouncedValue(alertJson, PREVIEW_DELAY_MS);
  const preview = useQuery({
    ...alertPreviewQuery(id, debouncedJson === '' ? body : (JSON.parse(debouncedJson) as NewAlert)),
    enabled: alertJson !== '' && debouncedJson !== '',
  });
  const queryClient = useQueryClient();
  useEffect(() => () => void queryClient.cancelQueries({ queryKey: alertPreviewsKey(id) }), [queryClient, id]);
  return (
    <div>
      <Text size="sm" fw={500} role="status">
        {lacking ?? stateText(preview)}
      </Text>
      {lacking === null && preview.data && <AlertChart preview={preview.data} timeZone={zone} />}
      {lacking === null &&
        preview.data?.events.slice(0, 3).map((event) => (
          <Text key={`${event.fired_at} ${event.subject}`} size="xs" c="dimmed">
            {formatFullTime(event.fired_at, zone)} ({zone}): {event.text}
          </Text>
        ))}
    </div>
  );
}

function stateText({ error, data }: { error: Error | null; data: { events: unknown[] } | undefined }): string {
  if (error !== null) return `Couldn’t load the preview. ${toErrorMessage(error)}`;
  return data === undefined ? 'Checking the last 30 days …' : formatPreview(data.events.length, 30);
}
