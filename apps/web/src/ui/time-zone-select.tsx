import { TextInput } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { TimeZoneOptionsProps } from './time-zone-options.js';

// Lazy-loaded, because the searchable list is large.
const TimeZoneOptions = lazy(() => import('./time-zone-options.js'));

const TEXTS = { label: 'Time zone', description: 'Days start and end in this time zone.' };

export function TimeZoneSelect(props: TimeZoneOptionsProps) {
  return (
    <Suspense fallback={<TextInput {...TEXTS} value={props.present} disabled readOnly />}>
      <TimeZoneOptions {...TEXTS} {...props} />
    </Suspense>
  );
}
