import { UNKNOWN_OBJECT, type ImportSummary, type Refusal } from '#libs/access-log';
import { count, plural, shortened, visible } from '../terminal-text.js';

interface SummaryHeading {
  title: string;
  dryRun: boolean;
  rows?: [label: string, count: number][];
}

export function renderSummary(summary: ImportSummary, { title, dryRun, rows: further = [] }: SummaryHeading): string {
  const rows: [string, number][] = [
    ['Lines read', summary.read],
    dryRun ? ['Would be sent', summary.readable] : ['Visits sent', summary.sent],
    ...(summary.repeated > 0 ? [['Already recorded', summary.repeated] as [string, number]] : []),
    ...(dryRun ? [] : [['Refused', summary.refused] as [string, number]]),
    ['Unreadable', summary.unreadable],
    ...[...summary.leftOut].map(([reason, lines]) => [`Left out: ${reason}`, lines] as [string, number]),
    ...(summary.blank > 0 ? [['Blank', summary.blank] as [string, number]] : []),
    ...further,
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
        `  ${name}:${number}  ${visible(reason)}\n    ${visible(shortened(text, 100))}`,
    );
    const isUnknownJson = summary.unreadableLines.some(({ reason }) => reason.startsWith(UNKNOWN_OBJECT));
    if (isUnknownJson) lines.push('  Of JSON in a format of your own, say where the fields are with --map.');
    else if (summary.readable === 0) {
      lines.push(
        '  No line is of a known format (agent-traffic logs formats). Give the one of your server with --log-format.',
      );
    }
    parts.push([`Unreadable lines${shownOf(summary.unreadableLines.length, summary.unreadable)}`, ...lines].join('\n'));
  }
  if (summary.refusals.length > 0) {
    parts.push(['Refused', ...summary.refusals.map((refusal) => `  ${refusalText(refusal)}`)].join('\n'));
  }
  if (summary.failures.length > 0) {
    parts.push(['Not read to the end', ...summary.failures.map((text) => `  ${text}`)].join('\n'));
  }
  return parts.join('\n\n');
}

function refusalText({ visits, reason, lines }: Refusal): string {
  if (lines === null) return `${plural(visits, 'visit')} of a batch, ${reason}`;
  return `${lines.name}:${lines.first}-${lines.last} (${plural(visits, 'visit')}): ${reason}`;
}

export const overviewAddress = (url: string, projectId: string, range: { from: string; to: string }): string =>
  `${url}/projects/${projectId}/overview?${new URLSearchParams(range).toString()}`;

export function renderCounts(title: string, rows: readonly { label: string; count: number }[]): string {
  const width = Math.max(...rows.map((row) => count(row.count).length));
  return [title, ...rows.map((row) => `  ${count(row.count).padStart(width)}  ${visible(row.label)}`)].join('\n');
}

const shownOf = (shown: number, all: number): string => (shown < all ? ` (the first ${shown} of ${count(all)})` : '');
