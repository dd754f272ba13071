import { Button, Loader, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { alertDeliveriesQuery, type AlertChannel, type AlertDelivery } from '../../api/alerts.js';
import { client, data } from '../../api/client.js';
import { MAX_ALERT_DELIVERIES } from '../../api/constants.js';
import { Failure } from '../../ui/failure.js';
import { RelativeTime } from '../../ui/relative-time.js';
import { Section } from '../../ui/section.js';
import { SortedTable } from '../../ui/sorted-table.js';
import type { Column, Sort } from '../../ui/sorting.js';

const STATES = { waiting: 'Waiting', delivered: 'Delivered', failed: 'Failed' } as const;
const LATEST: Sort = { key: 'created', direction: 'descending' };

export interface AlertDeliveriesProps {
  projectId: string;
  channels: readonly AlertChannel[];
  isOwner: boolean;
  refresh: () => Promise<void>;
}

/** What was sent, what is waiting, and what was given up. */
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
  const channelOf = ({ channel_id: id }: AlertDelivery) => channels.find((one) => one.id === id);
  const nameOf = (delivery: AlertDelivery): string => channelOf(delivery)?.name ?? '';
  const columns: readonly Column<AlertDelivery>[] = [
    { key: 'created', label: 'Created', isLatestFirst: true, value: ({ created_at: at }) => at },
    { key: 'channel', label: 'Channel', value: nameOf },
    { key: 'title', label: 'What', value: ({ title }) => title },
    { key: 'state', label: 'State', value: ({ state }) => STATES[state] },
    { key: 'actions', label: 'Actions' },
  ];
  if (deliveries.data?.length === 0) return null;
  return (
    <Section title="Deliveries" lead={`Up to ${MAX_ALERT_DELIVERIES} deliveries from the last 30 days.`}>
      {deliveries.isPending && <Loader size="sm" />}
      {deliveries.isError && (
        <Failure
          error={deliveries.error}
          title="The deliveries can't be shown"
          retry={() => void deliveries.refetch()}
        />
      )}
      {replay.isError && <Failure error={replay.error} />}
      <SortedTable label="Deliveries" columns={columns} rows={deliveries.data ?? []} initial={LATEST}>
        {(delivery) => (
          <tr key={delivery.id}>
            <td>
              <RelativeTime time={delivery.created_at} />
            </td>
            <td>{nameOf(delivery)}</td>
            <td>{delivery.title}</td>
            <td>
              <Text size="sm" {...(delivery.state === 'failed' && { c: 'var(--failed)' })}>
                {STATES[delivery.state]}
              </Text>
              {delivery.error !== null && (
                <Text size="xs" c="dimmed">
                  {delivery.error}
                </Text>
              )}
              {delivery.state === 'waiting' && (
                <Text size="xs" c="dimmed">
                  {channelOf(delivery)?.is_enabled === false
                    ? 'Waits until the channel is turned on'
                    : delivery.next_attempt_at !== null &&
                      delivery.attempts > 0 && (
                        <>
                          next attempt <RelativeTime time={delivery.next_attempt_at} />
                        </>
                      )}
                </Text>
              )}
            </td>
            <td>
              {isOwner && delivery.state !== 'waiting' && (
                <Button
                  size="compact-xs"
                  variant="default"
                  disabled={replay.isPending}
                  onClick={() => replay.mutate(delivery.id)}
                >
                  Send again<span className="unseen"> {delivery.title}</span>
                </Button>
              )}
            </td>
          </tr>
        )}
      </SortedTable>
    </Section>
  );
}
