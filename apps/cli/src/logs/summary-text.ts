import { UNKNOWN_OBJECT, type ImportSummary, type Rejection } from '#libs/access-log';
import { count, plural, truncate, escapeInvisible } from '../terminal-text.js';

interface SummaryHeading {
  title: string;
  dryRun: boolean;
  rows?: [label: string, count: number][];
}

export function renderSummary(summary: ImportSummary, { title, dryRun, rows: extraRows = [] }: SummaryHeading): string {
  const rows: [string, number][] = [
    ['Lines read', summary.read],
    dryRun ? ['Would be sent', summary.readable] : ['Visits sent', summary.sent],
    ...(summary.repeated > 0 ? [['Already recorded', summary.repeated] as [string, number]] : []),
    ...(dryRun ? [] : [['Rejected', summary.rejected] as [string, number]]),
    ['Unreadable', summary.unreadable],
    ...[...summary.leftOut].map(([reason, lines]) => [`Ignored: ${reason}`, lines] as [string, number]),
    ...(summary.blank > 0 ? [['Blank', summary.blank] as [string, number]] : []),
    ...extraRows,
  ];
  const width = Math.max(...rows.map(([, value]) => count(value).length));
  const labelWidth = Math.max(...rows.map(([label]) => label.length)) + 1;
  const parts = [
    [title, '', ...rows.map(([label, value]) => `  ${label.padEnd(labelWidth)}${count(value).padStart(width)}`)].join(
      '\n',
    ),
  ];
  if (summary.unreadable > 0) {
    const lines = summary.unreadableLines.map(
      ({ name, number, reason, text }) =>
        `  ${name}:${number}  ${escapeInvisible(reason)}\n    ${escapeInvisible(truncate(text, 100))}`,
    );
    const isUnknownJson = summary.unreadableLines.some(({ reason }) => reason.startsWith(UNKNOWN_OBJECT));
    if (isUnknownJson) lines.push('  For custom JSON, specify the location of each field with --map.');
    else if (summary.readable === 0) {
      lines.push(
        "  No line matches a known format (agent-traffic logs formats). Specify your server's format with --log-format.",
      );
    }
    parts.push(
      [`Unreadable lines${formatShownCount(summary.unreadableLines.length, summary.unreadable)}`, ...lines].join('\n'),
    );
  }
  if (summary.rejections.length > 0) {
    parts.push(['Rejected', ...summary.rejections.map((refusal) => `  ${formatRejection(refusal)}`)].join('\n'));
  }
  if (summary.failures.length > 0) {
    parts.push(['Incomplete logs', ...summary.failures.map((text) => `  ${text}`)].join('\n'));
  }
  return parts.join('\n\n');
}

function formatRejection({ visits, reason, lines }: Rejection): string {
  if (lines === null) return `${plural(visits, 'visit')} in a batch: ${reason}`;
  return `${lines.name}:${lines.first}-${lines.last} (${plural(visits, 'visit')}): ${reason}`;
}

export const buildOverviewUrl = (url: string, projectId: string, range: { from: string; to: string }): string =>
  `${url}/projects/${projectId}/overview?${new URLSearchParams(range).toString()}`;

export function renderCounts(title: string, rows: readonly { label: string; count: number }[]): string {
  const width = Math.max(...rows.map((row) => count(row.count).length));
  return [title, ...rows.map((row) => `  ${count(row.count).padStart(width)}  ${escapeInvisible(row.label)}`)].join(
    '\n',
  );
}

const formatShownCount = (shown: number, all: number): string =>
  shown < all ? ` (the first ${shown} of ${count(all)})` : '';
