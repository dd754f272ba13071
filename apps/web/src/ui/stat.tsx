import { Text } from '@mantine/core';

export interface StatProps {
  label: string;
  value: number | string;
  color?: string | undefined;
}

const NUMBER = new Intl.NumberFormat('en');

export function Stat({ label, value, color }: StatProps) {
  return (
    <div>
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Text fw={600} className="numbers" {...(color !== undefined && { c: color })}>
        {typeof value === 'number' ? NUMBER.format(value) : value}
      </Text>
    </div>
  );
}
