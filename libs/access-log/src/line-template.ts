import type { LineReader, TextFormat } from './formats/log-format.js';
import { LogFields, type Meaning } from './log-fields.js';

export interface TemplateField {
  meaning: Meaning;
  /** Fixed width in characters. By default, a field ends at the literal text that follows. */
  width?: number;
}

export type TemplatePart = string | TemplateField;

export interface Template {
  parts: readonly TemplatePart[];
  /** Unescapes a field. The input is a Latin-1 string (one character per byte). */
  decode: (raw: string) => string;
  /** True if quotes can be escaped with backslashes. */
  escapesQuotes: boolean;
  /** True if fields can contain unescaped quotes. */
  hasRawQuotes?: boolean;
}

/** Joins adjacent literal texts. Returns null if two fields aren't separated and the first one has no fixed width. */
export function joinTexts(parts: readonly TemplatePart[]): TemplatePart[] | null {
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
 * Parses a line in one pass. Each field ends at the first occurrence of the literal text that follows. Runs in linear
 * time, because there is no backtracking.
 *
 * @returns null if the line doesn't match the template.
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
    const end = findEnd(text, position, index, template);
    if (end < position) return null;
    fields.set(part.meaning, decode(text.slice(position, end)));
    position = end;
  }
  return position === text.length ? fields : null;
}

/** Returns the end offset of the field at `position`, or -1 if the literal text after the field is missing. */
function findEnd(text: string, position: number, index: number, template: Template): number {
  const { parts, escapesQuotes } = template;
  const { meaning, width } = parts[index] as TemplateField;
  if (width !== undefined) return position + width <= text.length ? position + width : -1;
  const behind = (parts[index + 1] as string | undefined) ?? '';
  if (index + 2 >= parts.length) {
    const end = text.length - behind.length;
    if (!text.endsWith(behind) || (escapesQuotes && isEscapedQuote(text, end, position))) return -1;
    // A quote in the last field can only come from another line that follows after a lost line feed.
    return template.hasRawQuotes !== true && hasQuote(text, position, end) ? -1 : end;
  }
  // An unquoted request contains spaces itself, so look for the end of the field after the protocol.
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

/** Returns true if an odd number of backslashes precedes the quote at `at`. Backslashes before `start` don't count. */
function isEscapedQuote(text: string, at: number, start: number): boolean {
  if (text[at] !== '"') return false;
  let backslashes = 0;
  while (at - backslashes > start && text[at - backslashes - 1] === '\\') backslashes += 1;
  return backslashes % 2 === 1;
}

/**
 * Creates a text format that parses lines with a template.
 *
 * @param complete Sets fields that a template can't express.
 */
export function templateFormat(
  description: Pick<TextFormat, 'name' | 'title' | 'verifiedBy' | 'limits'>,
  template: Template,
  complete?: (fields: LogFields) => void,
): TextFormat {
  const read: LineReader = (text) => {
    const fields = readByTemplate(text, template);
    if (fields === null) return { reason: `the line does not match the format: ${description.title}` };
    complete?.(fields);
    return fields.line();
  };
  return { ...description, kind: 'text', recognizes: (text) => 'line' in read(text, true), open: () => read };
}
