import { stripVTControlCharacters } from 'node:util';
import { escapeInvisible } from '#libs/contracts';

export { escapeCharacter, INVISIBLE_CHARACTERS, escapeInvisible } from '#libs/contracts';

/** Truncates text to at most `length` characters, including an ellipsis. */
export function truncate(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}

/** Formats a left-aligned table. Escape sequences don't count towards the width of a cell. */
export function renderTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [headings, ...rows];
  const widths = headings.map((_, column) => Math.max(...all.map((row) => visibleWidth(row[column] ?? ''))));
  return all
    .map((row) =>
      row
        .map((cell, column) => cell + ' '.repeat(Math.max(0, (widths[column] ?? 0) - visibleWidth(cell))))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

const visibleWidth = (text: string): number => stripVTControlCharacters(text).length;

/** Formats a time in the local time zone, such as `2026-11-21 08:30:00`. Returns other text unchanged, but escaped. */
export function localTime(time: string): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return escapeInvisible(time);
  const pad = (value: number): string => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
  return `${day} ${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())}`;
}

export const count = (value: number): string => value.toLocaleString('en-US');

/** Formats a count with its noun, such as `1 line` or `2 lines`. */
export const plural = (value: number, noun: string): string => `${count(value)} ${noun}${value === 1 ? '' : 's'}`;

const MAX_LISTED = 10;

/** Joins the first ten items, followed by the number of remaining items. */
export function joinLimited<T>(items: readonly T[], text: (item: T) => string, separator: string): string {
  const more = items.length - MAX_LISTED;
  const shown = items.slice(0, MAX_LISTED).map(text).join(separator);
  return more > 0 ? `${shown}${separator}${count(more)} more` : shown;
}
