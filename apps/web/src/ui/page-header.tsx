import { Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './page-header.module.css';

interface PageHeaderProps {
  title: ReactNode;
  /** Mark before the title. */
  mark?: ReactNode;
  /** Badge next to the title. */
  badge?: ReactNode;
  /** Dimmed line below the title. */
  lead?: ReactNode;
  /** Controls on the right. */
  actions?: ReactNode;
}

/** Page title with its controls in the same row. */
export const PageHeader = ({ title, mark, badge, lead, actions }: PageHeaderProps) => (
  <div className={classes['header']}>
    <div className={classes['heading']}>
      <Group gap="sm">
        <Title order={1}>
          {mark}
          {title}
        </Title>
        {badge}
      </Group>
      {lead && (
        <Text component="div" size="xs" c="dimmed">
          {lead}
        </Text>
      )}
    </div>
    {actions && <div className={classes['actions']}>{actions}</div>}
  </div>
);
