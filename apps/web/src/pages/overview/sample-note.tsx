import { Text } from '@mantine/core';
import type { Overview } from '../../api/statistics.js';
import { countText, longCountText } from '../../format/count.js';

type Sample = NonNullable<Overview['sample']>;

/** Returns a note on numbers that are estimated or leave out visits, or null if neither applies. */
export function readSentence({ visits_read: read, visits, not_stored: missing, is_estimated: isEstimated }: Sample) {
  const parts = [
    isEstimated && `Estimated from ${countText(read)} of ${longCountText(visits)} visits.`,
    missing > 0 &&
      `Leaves out ${longCountText(missing)} ${missing === 1 ? 'visit that is' : 'visits that are'} no longer stored.`,
  ];
  return parts.filter(Boolean).join(' ') || null;
}

interface SampleNoteProps {
  sample: Overview['sample'];
  /** True if the project counts visits of unknown visitors without storing them. */
  isOnlyCounted: boolean;
}

/** Note shown if all numbers of the page come from stored visits and are incomplete or estimated. */
export function SampleNote({ sample, isOnlyCounted }: SampleNoteProps) {
  if (sample?.of !== 'all') return null;
  const text = readSentence(sample);
  const counted = 'This project only counts visits of unknown visitors, so they cannot be filtered by page or status.';
  if (text === null) return null;
  return (
    <Text size="sm" c="dimmed" role="note">
      {text} {isOnlyCounted && counted}
    </Text>
  );
}
