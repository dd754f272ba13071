import { Text } from '@mantine/core';
import type { Overview } from '../../api/statistics.js';
import { formatCount, formatLongCount } from '../../format/count.js';

type Sample = NonNullable<Overview['sample']>;

/** Returns a note if the numbers are estimated or exclude deleted visits, otherwise null. */
export function describeSample({ visits_read: read, visits, not_stored: missing, is_estimated: isEstimated }: Sample) {
  const parts = [
    isEstimated && `Estimated from ${formatCount(read)} of ${formatLongCount(visits)} visits.`,
    missing > 0 &&
      `Excludes ${formatLongCount(missing)} ${missing === 1 ? 'visit that is' : 'visits that are'} no longer stored.`,
  ];
  return parts.filter(Boolean).join(' ') || null;
}

interface SampleNoteProps {
  sample: Overview['sample'];
  /** True if the project counts visits by unknown visitors without storing them. */
  isOnlyCounted: boolean;
}

/** Shows a note if all numbers on the page come from stored visits and are estimated or incomplete. */
export function SampleNote({ sample, isOnlyCounted }: SampleNoteProps) {
  if (sample?.of !== 'all') return null;
  const text = describeSample(sample);
  const countedNote =
    "This project only counts visits by unknown visitors, so they can't be filtered by page or status.";
  if (text === null) return null;
  return (
    <Text size="sm" c="dimmed" role="note">
      {text} {isOnlyCounted && countedNote}
    </Text>
  );
}
