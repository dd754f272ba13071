import type { ChartNote, ChartNotes } from '../api/chart-notes.js';
import { formatCount } from '../format/count.js';
import { startOfDay } from '../range/zoned-day.js';

/** Note or event marked on a chart. */
export interface Annotation {
  key: string;
  /** ISO 8601 time. For notes, the start of the day in the project's time zone. */
  time: string;
  text: string;
  /** Author's name, or null if there isn't one. */
  by: string | null;
  /** The note, if a user wrote this annotation. */
  note?: ChartNote;
}

/**
 * Returns notes and events, oldest first.
 *
 * @param projectZone Time zone that determines when each day starts.
 */
export function toAnnotations({ notes, ...events }: ChartNotes, projectZone: string): Annotation[] {
  return [
    ...notes.map((note) => ({
      key: note.id,
      time: startOfDay(note.day, projectZone),
      text: note.text,
      by: note.created_by,
      note,
    })),
    ...events.rules_versions.map(({ id, saved_at: time, saved_by: by }) => ({
      key: id,
      time,
      text: 'Rules saved',
      by,
    })),
    ...events.catalog_updates.map(({ version, updated_at: time, ...counts }) => ({
      key: `catalog ${version} ${time}`,
      time,
      text: `Catalog updated: ${formatCatalogUpdate(counts)}`,
      by: null,
    })),
  ].toSorted((one, other) => Date.parse(one.time) - Date.parse(other.time));
}

function formatCatalogUpdate(counts: Omit<ChartNotes['catalog_updates'][number], 'version' | 'updated_at'>): string {
  const parts = (['added', 'changed', 'removed'] as const).filter((what) => counts[what] > 0);
  return parts
    .map((what, index) => {
      const count = counts[what];
      const noun = index > 0 ? '' : count === 1 ? ' agent' : ' agents';
      return `${formatCount(count)}${noun} ${what}`;
    })
    .join(', ');
}

/**
 * Groups annotations by chart item, keyed by the item's start time.
 *
 * @param starts Item start times, in ascending order.
 */
export function groupByItem(annotations: readonly Annotation[], starts: readonly string[]): Map<string, Annotation[]> {
  const items = new Map<string, Annotation[]>();
  for (const annotation of annotations) {
    const time = Date.parse(annotation.time);
    // A note's day can start before the first item.
    const start = starts.findLast((itemStart) => Date.parse(itemStart) <= time) ?? starts[0];
    if (start !== undefined) items.set(start, [...(items.get(start) ?? []), annotation]);
  }
  return items;
}

export const joinTexts = (annotations: readonly Annotation[] = []): string =>
  annotations.map(({ text }) => text).join('; ');
