import { Button, Loader, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { alertDeliveriesQuery, type AlertChannel, type AlertDelivery } from '../../api/alerts.js';
import { client, data } from '../../api/client.js';
import { MAX_ALERT_DELIVERIES } from '../../api/constants.js';
import { DataTable, type TableColumn } from '../../ui/data-table.js';
import { Failure } from '../../ui/failure.js';
import { RelativeTime } from '../../ui/relative-time.js';
import { Section } from '../../ui/section.js';

const STATES = { waiting: 'Waiting', delivered: 'Delivered', failed: 'Failed' } as const;

interface AlertDeliveriesProps {
  projectId: string;
  channels: readonly AlertChannel[];
  isOwner: boolean;
  refresh: () => Promise<void>;
}

export function AlertDeliveries({ projectId, channels, isOwner, refresh }: AlertDeliveriesProps) {
  const deliveries = useQuery(alertDeliveriesQuery(projectId));
  const replay = useMutation({
    mutationFn: (deliveryId: string) =>
      data(
        client.POST('/api/projects/{id}/alert-deliveries/{deliveryId}/replay', {
          params: { path: { id: projectId, deliveryId } },
          body: {},
        }),
      ),
    onSuccess: refresh,
  });
  const getChannel = ({ channel_id: id }: AlertDelivery) => channels.find((candidate) => candidate.id === id);
  const getChannelName = (delivery: AlertDelivery): string => getChannel(delivery)?.name ?? '';
  const columns: readonly TableColumn<AlertDelivery>[] = [
    { key: 'created', label: 'Created', isTime: true, value: ({ created_at: at }) => at },
    { key: 'channel', label: 'Channel', value: getChannelName },
    { key: 'title', label: 'Alert', value: ({ title }) => title },
    {
      key: 'state',
      label: 'State',
      value: ({ state }) => STATES[state],
      cell: (delivery) => <State delivery={delivery} channel={getChannel(delivery)} />,
    },
    {
      key: 'actions',
      label: 'Actions',
      cell: ({ id, title, state }) =>
        isOwner &&
        state !== 'waiting' && (
          <Button size="compact-xs" variant="default" disabled={replay.isPending} onClick={() => replay.mutate(id)}>
            Send again<span className="unseen"> {title}</span>
          </Button>
        ),
    },
  ];
  if (deliveries.data?.length === 0) return null;
  return (
    <Section title="Deliveries" lead={`Up to ${MAX_ALERT_DELIVERIES} deliveries from the last 30 days.`}>
      {deliveries.isPending && <Loader size="sm" />}
      {deliveries.isError && (
        <Failure
          error={deliveries.error}
          title="Couldn't load the deliveries"
          retry={() => void deliveries.refetch()}
        />
      )}
      {replay.isError && <Failure error={replay.error} />}
      <DataTable
        label="Deliveries"
        columns={columns}
        rows={deliveries.data ?? []}
        rowKey={({ id }) => id}
        initial="created"
      />
    </Section>
  );
}

function State({ delivery, channel }: { delivery: AlertDelivery; channel: AlertChannel | undefined }) {
  const { state, error, attempts, next_attempt_at: next } = delivery;
  return (
    <>
      <Text size="sm" {...(state === 'failed' && { c: 'var(--failed)' })}>
        {STATES[state]}
      </Text>
      {error !== null && (
        <Text size="xs" c="dimmed">
          {error}
        </Text>
      )}
      {state === 'waiting' && (
        <Text size="xs" c="dimmed">
          {channel?.is_enabled === false
            ? 'Waiting until the channel is turned on'
            : next !== null &&
              attempts > 0 && (
                <>
                  next attempt <RelativeTime time={next} />
                </>
              )}
        </Text>
      )}
    </>
  );
}
