import { Group, Text } from '@mantine/core';
import classes from './brand.module.css';
import icon from '../icon.svg';

export function Brand() {
  return (
    <Group gap={8} wrap="nowrap">
      <img src={icon} width={24} height={24} alt="" />
      <Text fw={600} component="span" className={classes['name']}>
        Agent Traffic
      </Text>
    </Group>
  );
}
