import { LINE_FIELDS, type ImportSummary, type LogFormat, type LogVisit } from '#libs/access-log';
import { plural, truncate, escapeInvisible } from '../terminal-text.js';

const MAX_SHOWN = 200;
const VERIFIED_BY: Record<LogFormat['verifiedBy'], string> = {
  addresses: 'addresses (published lists and reverse DNS)',
  'addresses and signatures': 'addresses (published lists and reverse DNS) and Web Bot Auth signatures',
};

export function renderSource({ formats, missing, signed, readable, withoutUserAgent }: ImportSummary): string {
  const lines = [...formats].flatMap(([{ title, name, verifiedBy, limits }, count]) => [
    `  ${title} (${name}): ${plural(count, 'line')}`,
    `    Visits can be verified by ${VERIFIED_BY[verifiedBy]}.`,
    ...(limits === '' ? [] : [`    ${limits}`]),
  ]);
  const others = readable - [...formats.values()].reduce((sum, count) => sum + count, 0);
  if (others > 0) lines.push(`  ${OTHER_FIELDS_NOTE}: ${plural(others, 'line')}`);
  const missingFields = [...missing]
    .filter((field) => field !== 'id')
    .map((field) => (field === 'headers' ? 'other request headers' : LINE_FIELDS[field]));
  if (missingFields.length > 0) lines.push(`  Missing from every line: ${missingFields.join(', ')}`);
  const canBeSigned = [...formats.keys()].some(({ verifiedBy }) => verifiedBy === 'addresses and signatures');
  if (canBeSigned) lines.push(`  Signed requests: ${signed} of ${readable}`);
  if (withoutUserAgent > 0 && !missing.has('userAgent')) {
    lines.push(`  Without a User-Agent: ${withoutUserAgent} of ${readable} lines`);
  }
  return [formats.size > 1 ? 'Formats' : 'Format', ...lines].join('\n');
}

const OTHER_FIELDS_NOTE = 'Common or combined with additional fields, which --log-format can import';

/**
 * Renders the first visits of a dry run, one line per field. Objects such as `request_headers` get one line per member.
 */
export function renderVisits(visits: readonly LogVisit[]): string {
  const parts = visits.map((visit, index) => {
    const rows = Object.entries(visit).flatMap(([name, value]) => toRows(name, value as unknown));
    const width = Math.max(...rows.map(([name]) => name.length));
    return [`  ${index + 1}.`, ...rows.map(([name, text]) => `     ${name.padEnd(width)}  ${text}`.trimEnd())].join(
      '\n',
    );
  });
  return ['First visits that would be sent', ...parts].join('\n');
}

function toRows(name: string, value: unknown): [name: string, text: string][] {
  if (typeof value !== 'object' || value === null) return [[name, escapeInvisible(truncate(String(value), MAX_SHOWN))]];
  const members = Object.entries(value).flatMap(([key, member]) =>
    toRows(`  ${escapeInvisible(key)}`, member as unknown),
  );
  return [[name, members.length === 0 ? 'none' : ''], ...members];
}
