import { LINE_FIELDS, type ImportSummary, type LogFormat, type LogVisit } from '#libs/access-log';
import { plural, shortened, visible } from '../terminal-text.js';

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
  if (others > 0) lines.push(`  ${OTHER_FIELDS}: ${plural(others, 'line')}`);
  const lacking = [...missing]
    .filter((field) => field !== 'id')
    .map((field) => (field === 'headers' ? 'other request headers' : LINE_FIELDS[field]));
  if (lacking.length > 0) lines.push(`  No line has: ${lacking.join(', ')}`);
  const canBeSigned = [...formats.keys()].some(({ verifiedBy }) => verifiedBy === 'addresses and signatures');
  if (canBeSigned) lines.push(`  Signed requests: ${signed} of ${readable}`);
  if (withoutUserAgent > 0 && !missing.has('userAgent')) {
    lines.push(`  Without a user agent: ${withoutUserAgent} of ${readable} lines`);
  }
  return [formats.size > 1 ? 'Formats' : 'Format', ...lines].join('\n');
}

const OTHER_FIELDS = 'Common or combined, with fields of your own: --log-format reads those, too';

/**
 * Renders the first visits of a dry run, one line per field. Objects such as `request_headers` get a line per member.
 */
export function renderVisits(visits: readonly LogVisit[]): string {
  const parts = visits.map((visit, index) => {
    const rows = Object.entries(visit).flatMap(([name, value]) => rowsOf(name, value as unknown));
    const width = Math.max(...rows.map(([name]) => name.length));
    return [`  ${index + 1}.`, ...rows.map(([name, text]) => `     ${name.padEnd(width)}  ${text}`.trimEnd())].join(
      '\n',
    );
  });
  return ['The first visits as they would be sent', ...parts].join('\n');
}

function rowsOf(name: string, value: unknown): [name: string, text: string][] {
  if (typeof value !== 'object' || value === null) return [[name, visible(shortened(String(value), MAX_SHOWN))]];
  const members = Object.entries(value).flatMap(([key, member]) => rowsOf(`  ${visible(key)}`, member as unknown));
  return [[name, members.length === 0 ? 'none' : ''], ...members];
}
