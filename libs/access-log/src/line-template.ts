import type { LineReader, TextFormat } from './formats/log-format.js';
import { LogFields, type Meaning } from './log-fields.js';

/** A field of a template. */
export interface TemplateField {
  meaning: Meaning;
  /** Characters it always has; without, it ends where the text behind it stands. */
  width?: number;
}

/** What a line is made of, from left to right: texts that stand as they are, and fields. */
export type TemplatePart = string | TemplateField;

export interface Template {
  parts: readonly TemplatePart[];
  /** Undoes the escapes of a field: one character a byte in, text out. */
  decode: (raw: string) => string;
  /** Whether a quote behind an odd number of backslashes is part of a field. */
  escapesQuotes: boolean;
  /** Whether fields can contain quotes as they are. */
  hasRawQuotes?: boolean;
}

/** @returns a template without neighboring texts; null where two fields have nothing between them to tell them apart. */
export function joinedParts(parts: readonly TemplatePart[]): TemplatePart[] | null {
  const joined: TemplatePart[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (typeof part === 'string' && typeof last === 'string') joined[joined.length - 1] = last + part;
    else if (typeof part === 'object' && typeof last === 'object' && last.width === undefined) return null;
    else if (part !== '') joined.push(part);
  }
  return joined;
}

/**
 * Reads a line by a template, in one pass: each field ends at the first occurrence of the text behind it, and none is
 * tried twice, so that no line takes more than linear time.
 *
 * @returns null when the line is not of the template.
 */
function readByTemplate(text: string, template: Template): LogFields | null {
  const { parts, decode } = template;
  const fields = new LogFields();
  let position = 0;
  for (const [index, part] of parts.entries()) {
    if (typeof part === 'string') {
      if (!text.startsWith(part, position)) return null;
      position += part.length;
      continue;
    }
    const end = endOf(text, position, index, template);
    if (end < position) return null;
    fields.set(part.meaning, decode(text.slice(position, end)));
    position = end;
  }
  return position === text.length ? fields : null;
}

/** Where the field ends that starts at `position`; -1 where it doesn't. */
function endOf(text: string, position: number, index: number, template: Template): number {
  const { parts, escapesQuotes } = template;
  const { meaning, width } = parts[index] as TemplateField;
  if (width !== undefined) return position + width <= text.length ? position + width : -1;
  const behind = (parts[index + 1] as string | undefined) ?? '';
  if (index + 2 >= parts.length) {
    const end = text.length - behind.length;
    if (!text.endsWith(behind) || (escapesQuotes && isEscapedQuote(text, end, position))) return -1;
    // Another line that a lost line feed joined to this one.
    return template.hasRawQuotes !== true && hasQuote(text, position, end) ? -1 : end;
  }
  // A request that isn't quoted has blanks of its own.
  const protocol = meaning === 'request' && behind.startsWith(' ') ? text.indexOf(' HTTP/', position) : position - 1;
  if (protocol < position - 1) return -1;
  let end = text.indexOf(behind, protocol + 1);
  if (!escapesQuotes) return end;
  while (end !== -1 && isEscapedQuote(text, end, position)) end = text.indexOf(behind, end + 1);
  return end;
}

function hasQuote(text: string, start: number, end: number): boolean {
  let at = text.indexOf('"', start);
  while (at !== -1 && at < end && isEscapedQuote(text, at, start)) at = text.indexOf('"', at + 1);
  return at !== -1 && at < end;
}

/** Whether a quote at `at` has an odd number of backslashes before it, none of them before `start`. */
function isEscapedQuote(text: string, at: number, start: number): boolean {
  if (text[at] !== '"') return false;
  let backslashes = 0;
  while (at - backslashes > start && text[at - backslashes - 1] === '\\') backslashes += 1;
  return backslashes % 2 === 1;
}

/**
 * Returns the format whose lines a template reads.
 *
 * @param complete sets what a line says in a way of its own.
 */
export function templateFormat(
  description: Pick<TextFormat, 'name' | 'title' | 'verifiedBy' | 'limits'>,
  template: Template,
  complete?: (fields: LogFields) => void,
): TextFormat {
  const read: LineReader = (text) => {
    const fields = readByTemplate(text, template);
    if (fields === null) return { reason: `not a line of the format: ${description.title}` };
    complete?.(fields);
    return fields.line();
  };
  return { ...description, kind: 'text', recognizes: (text) => 'line' in read(text, true), open: () => read };
}
