import type { ChartNote, ChartNotes } from '../api/chart-notes.js';
import { countText } from '../format/count.js';
import { startOfDay } from '../range/zoned-day.js';

/** A note or event on a chart. */
export interface Annotation {
  key: string;
  /** ISO 8601. For notes, the start of the day in the project's time zone. */
  time: string;
  text: string;
  /** Name of the author, or null if there isn't one. */
  by: string | null;
  /** Set only for notes written by users. */
  note?: ChartNote;
}

/** Returns notes and events, oldest first. @param projectZone Time zone that determines when each day starts. */
export function annotationsOf({ notes, ...events }: ChartNotes, projectZone: string): Annotation[] {
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
      text: `Catalog updated: ${catalogText(counts)}`,
      by: null,
    })),
  ].toSorted((one, other) => Date.parse(one.time) - Date.parse(other.time));
}

/** Returns a summary such as "3 agents added, 1 changed". */
function catalogText(counts: Omit<ChartNotes['catalog_updates'][number], 'version' | 'updated_at'>): string {
  const parts = (['added', 'changed', 'removed'] as const).filter((what) => counts[what] > 0);
  return parts
    .map((what, index) => {
      const count = counts[what];
      const noun = index > 0 ? '' : count === 1 ? ' agent' : ' agents';
      return `${countText(count)}${noun} ${what}`;
    })
    .join(', ');
}

/**
 * Groups annotations by chart item, keyed by the item's start.
 *
 * @param starts Start times of the items, in ascending order.
 */
export function byItem(annotations: readonly Annotation[], starts: readonly string[]): Map<string, Annotation[]> {
  const items = new Map<string, Annotation[]>();
  for (const annotation of annotations) {
    const time = Date.parse(annotation.time);
    // The day of a note can start before the first item.
    const start = starts.findLast((each) => Date.parse(each) <= time) ?? starts[0];
    if (start !== undefined) items.set(start, [...(items.get(start) ?? []), annotation]);
  }
  return items;
}

export const joinedText = (annotations: readonly Annotation[] = []): string =>
  annotations.map(({ text }) => text).join('; ');
