import { TextInput } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { TimeZoneOptionsProps } from './time-zone-options.js';

// What lists and searches the zones is a tenth of a page by itself.
const TimeZoneOptions = lazy(() => import('./time-zone-options.js'));

const TEXTS = { label: 'Time zone', description: 'Days start and end in this time zone.' };

/** The time zone of a project. */
export function TimeZoneSelect(props: TimeZoneOptionsProps) {
  return (
    <Suspense fallback={<TextInput {...TEXTS} value={props.present} disabled readOnly />}>
      <TimeZoneOptions {...TEXTS} {...props} />
    </Suspense>
  );
}
