import { ActionIcon } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { notificationsQuery } from '../api/notifications.js';
import { Icon } from '../ui/icon.js';
import classes from './bell.module.css';

const NotificationMenu = lazy(() => import('./notification-menu.js'));

/** Highest count shown as a number. */
const MAX_COUNT = 99;

/** Button with the number of unread notifications. Opens a list of them. */
export function Bell() {
  const { data: list } = useQuery(notificationsQuery);
  const [isOpen, { toggle, close }] = useDisclosure();
  const unread = list?.unread ?? 0;
  const count = unread > MAX_COUNT ? `${MAX_COUNT}+` : String(unread);
  const label = unread === 0 ? 'Notifications' : `Notifications, ${count} unread`;
  return (
    <div className={classes['place']}>
      <ActionIcon
        variant="subtle"
        color="gray"
        c="var(--mantine-color-text)"
        size="lg"
        aria-label={label}
        title={label}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={toggle}
      >
        <Icon name="bell" />
        {unread > 0 && (
          <span className={classes['count']} aria-hidden="true">
            {count}
          </span>
        )}
      </ActionIcon>
      <Suspense>{isOpen && <NotificationMenu onClose={close} />}</Suspense>
    </div>
  );
}
