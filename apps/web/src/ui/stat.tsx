import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatCount } from '../format/count.js';

interface StatProps {
  label: string;
  value: ReactNode;
  color?: string | undefined;
}

export function Stat({ label, value, color }: StatProps) {
  return (
    <div>
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Text fw={600} className="numbers" {...(color !== undefined && { c: color })}>
        {typeof value === 'number' ? formatCount(value) : value}
      </Text>
    </div>
  );
}
