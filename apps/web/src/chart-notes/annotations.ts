import type { ChartNote, ChartNotes } from '../api/chart-notes.js';
import { countText } from '../format/count.js';
import { startOfDay } from '../range/zoned-day.js';

/** What happened at a time of a chart. */
export interface Annotation {
  key: string;
  /** ISO 8601; of a note, when its day begins. */
  time: string;
  text: string;
  /** Who wrote or did it. */
  by: string | null;
  /** What people wrote themselves, about a day. */
  note?: ChartNote;
}

/** Returns notes and events by time. @param projectZone in which days begin. */
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

/** As "3 agents added, 1 changed". */
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

/** Returns the annotations of each item of a chart that has any. @param starts when each item begins. */
export function byItem(annotations: readonly Annotation[], starts: readonly string[]): Map<string, Annotation[]> {
  const items = new Map<string, Annotation[]>();
  for (const annotation of annotations) {
    const time = Date.parse(annotation.time);
    // A day may begin before the first item does.
    const start = starts.findLast((each) => Date.parse(each) <= time) ?? starts[0];
    if (start !== undefined) items.set(start, [...(items.get(start) ?? []), annotation]);
  }
  return items;
}

/** Of several, as one text. */
export const joinedText = (annotations: readonly Annotation[] = []): string =>
  annotations.map(({ text }) => text).join('; ');
