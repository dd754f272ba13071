import { stripVTControlCharacters } from 'node:util';
import { visible } from '#libs/contracts';

export { escapedCharacter, UNSEEN, visible } from '#libs/contracts';

/** Truncates text to `length` characters, including an ellipsis. */
export function shortened(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}

/** Aligns columns below their headings, two spaces apart. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [headings, ...rows];
  const widths = headings.map((_, column) => Math.max(...all.map((row) => width(row[column] ?? ''))));
  return all
    .map((row) =>
      row
        .map((cell, column) => cell + ' '.repeat(Math.max(0, (widths[column] ?? 0) - width(cell))))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

const width = (text: string): number => stripVTControlCharacters(text).length;

/** Formats as local time, e.g. `2026-11-21 08:30:00`. */
export function localTime(time: string): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return visible(time);
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

export const count = (value: number): string => value.toLocaleString('en-US');

/** Returns e.g. `1 line` or `2 lines`. */
export const plural = (value: number, noun: string): string => `${count(value)} ${noun}${value === 1 ? '' : 's'}`;

const MAX_LISTED = 10;

/** Joins the first ten items, and adds the number of remaining ones. */
export function listed<T>(items: readonly T[], text: (item: T) => string, separator: string): string {
  const more = items.length - MAX_LISTED;
  const shown = items.slice(0, MAX_LISTED).map(text).join(separator);
  return more > 0 ? `${shown}${separator}${count(more)} more` : shown;
}
