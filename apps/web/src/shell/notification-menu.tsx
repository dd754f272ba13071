import { Button, Loader, ScrollArea, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { client, data } from '../api/client.js';
import { notificationsQuery, type Notification } from '../api/notifications.js';
import { Dropdown } from '../ui/dropdown.js';
import { Failure } from '../ui/failure.js';
import { RelativeTime } from '../ui/relative-time.js';
import { toPageLink } from '../ui/page-link.js';
import { TextLink } from '../ui/text-link.js';
import classes from './bell.module.css';

/** List of recent notifications. Each one links to its evidence. */
export default function NotificationMenu({ onClose }: { onClose: () => void }) {
  const list = useQuery(notificationsQuery);
  const { projectId } = useParams({ strict: false });
  const queryClient = useQueryClient();
  const read = useMutation({
    mutationFn: (ids: string[] | null) =>
      data(client.POST('/api/account/notifications/read', { body: ids === null ? {} : { ids } })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: notificationsQuery.queryKey }),
  });
  const { notifications = [], unread = 0 } = list.data ?? {};
  return (
    <Dropdown label="Notifications" width={360} onClose={onClose}>
      <div className={classes['header']}>
        <Text size="sm" fw={600}>
          Notifications
        </Text>
        {unread > 0 && (
          <Button size="compact-xs" variant="subtle" loading={read.isPending} onClick={() => read.mutate(null)}>
            Mark all as read
          </Button>
        )}
      </div>
      {list.isPending && <Loader size="sm" m={8} role="status" aria-label="Loading" />}
      {list.isError && <Failure error={list.error} title="Couldn’t load the notifications" />}
      {read.isError && <Failure error={read.error} />}
      {list.isSuccess && notifications.length === 0 && (
        <Text size="sm" c="dimmed" px={8} pb={8}>
          No alerts have fired in the last 30 days.
        </Text>
      )}
      <ScrollArea.Autosize mah="60vh" viewportProps={{ tabIndex: -1 }}>
        <ul className={classes['list']}>
          {notifications.map((notification) => (
            <li key={notification.id}>
              <Item
                notification={notification}
                onOpen={() => {
                  if (!notification.is_read) read.mutate([notification.id]);
                  onClose();
                }}
              />
            </li>
          ))}
        </ul>
      </ScrollArea.Autosize>
      {projectId !== undefined && (
        <Text size="sm" px={8} pt={8}>
          <TextLink to="/projects/$projectId/alerts" params={{ projectId }} onClick={onClose}>
            Manage alerts
          </TextLink>
        </Text>
      )}
    </Dropdown>
  );
}

function Item({ notification, onOpen }: { notification: Notification; onOpen: () => void }) {
  const { project, label, text, path, fired_at: firedAt, is_firing: isFiring, is_read: isRead } = notification;
  return (
    <Link {...toPageLink(path)} className={classes['item']} data-unread={!isRead || undefined} onClick={onOpen}>
      <span className={classes['dot']} />
      <span>
        <Text component="span" display="block" size="sm" className={classes['label']}>
          {!isRead && <span className="unseen">Unread: </span>}
          {text}
        </Text>
        <Text component="span" display="block" size="xs" c="dimmed">
          {label} · {project.name} · <RelativeTime time={firedAt} />
          {isFiring && ' · still firing'}
        </Text>
      </span>
    </Link>
  );
}
