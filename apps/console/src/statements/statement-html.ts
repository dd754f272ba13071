import { escapeInvisible } from '#libs/contracts';
import { escapeHtml } from '../alerts/channels/alert-message.js';
import {
  GAP_KINDS,
  IDENTITIES,
  type CountsByIdentity,
  type FetchCounts,
  type Gap,
  type Statement,
  type StatementScope,
  type StatementVersion,
} from './statement.js';
import { renderChart } from './statement-chart.js';
import { STYLE } from './statement-style.js';
import {
  COMPUTATIONS,
  DEFINITIONS,
  getKeysUrl,
  getTitle,
  IDENTITY_LABELS,
  LIMITS,
  VERDICT_LABELS,
} from './statement-text.js';

interface Column {
  heading: string;
  /** `fixed` text isn't wrapped. */
  kind: 'text' | 'fixed' | 'number';
}

interface Row {
  /** HTML of the cells. */
  cells: string[];
  class?: 'group' | 'total';
}

const text = (heading: string): Column => ({ heading, kind: 'text' });
const fixed = (heading: string): Column => ({ heading, kind: 'fixed' });
const number = (heading: string): Column => ({ heading, kind: 'number' });

const IDENTITY_COLUMNS = IDENTITIES.map((identity) => number(IDENTITY_LABELS[identity]));
const COUNT_COLUMNS = [fixed('Identity'), number('Fetches'), number('Bytes'), number('Distinct paths')];

/** Returns the start of the document, which doesn't depend on the fetches. */
export function renderHtmlStart(scope: StatementScope): string {
  const { project, first_day: first, last_day: last, instance } = scope;
  const hosts = project.hosts.length === 0 ? '' : ` (${project.hosts.join(', ')})`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escape(`${getTitle(scope)}, ${first} to ${last}`)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escape(getTitle(scope))}</h1>
<p class="period">${first} to ${last}, both inclusive, in UTC</p>
${renderList([
  ['Site', escape(`${project.name}${hosts}`)],
  ['Operator', escape(scope.operator)],
  ['Recorded by', escape(`Agent Traffic at ${instance}`)],
  ['Client addresses', scope.includes_addresses ? 'Included' : 'Not included'],
])}
`;
}

/**
 * Returns the rest of the document, except the signature.
 *
 * @param dataHash SHA-256 of the NDJSON file with the same data, in hex.
 */
export function renderHtmlRest(statement: Statement, dataHash: string): string {
  const labels = new Map(statement.versions.map(({ id }, index) => [id, `R${index + 1}`]));
  return [
    section('Fetches by purpose', [
      paragraph(
        'Verified fetches, claimed ones, and those that failed verification are never added up. The terms are defined below.',
      ),
      table(
        [text('Purpose'), text('Agents'), ...COUNT_COLUMNS],
        [
          ...groupRows(statement.purposes, ({ purposes, agents }) => [
            escape(formatPurposes(purposes)),
            escape(agents.join(', ')),
          ]),
          ...statement.totals.map((total, index): Row => ({
            class: index === 0 ? 'total' : 'group',
            cells: [index === 0 ? 'All fetches' : '', '', ...formatCounts(total)],
          })),
        ],
      ),
    ]),
    section('Fetches by agent', [
      table(
        [text('Agent'), text('Type'), ...COUNT_COLUMNS],
        groupRows(statement.agents, ({ agent, agent_type: type }) => [escape(agent), escape(type || 'Unknown')]),
      ),
    ]),
    section('Fetches and robots.txt by day', [
      renderChart(statement.days),
      table(
        [fixed('Day (UTC)'), ...IDENTITY_COLUMNS, text('robots.txt in force')],
        statement.days.map(({ day, robots_versions: versions, ...counts }) => ({
          cells: [day, ...formatByIdentity(counts), versions.map((id) => labels.get(id)!).join(', ') || 'Not known'],
        })),
      ),
    ]),
    section('robots.txt versions and licenses in force', [
      table(
        [fixed('Version'), text('Host'), fixed('In force (UTC)'), text('License and preferences'), text('SHA-256')],
        statement.versions.map((version) => ({
          cells: [
            labels.get(version.id)!,
            escape(version.host),
            `${formatTime(version.from)}<br>${version.until === null ? 'at least to the end' : `to ${formatTime(version.until)}`}`,
            renderSignals(version),
            version.sha256 === null ? 'No file' : `<code>${version.sha256}</code>`,
          ],
        })),
      ),
    ]),
    section('Fetches and robots.txt', [
      table(
        [text('Verdict'), ...IDENTITY_COLUMNS],
        statement.verdicts.map(({ verdict, ...counts }) => ({
          cells: [VERDICT_LABELS[verdict], ...formatByIdentity(counts)],
        })),
      ),
    ]),
    section('Disallowed fetches by line', [
      table(
        [fixed('Version'), number('Line'), text('Rule'), ...IDENTITY_COLUMNS, number('On behalf of a user')],
        statement.disallowed.map(({ version, line, text: rule, user_triggered: userTriggered, ...counts }) => ({
          cells: [
            labels.get(version) ?? `<code>${escape(version)}</code>`,
            formatNumber(line),
            rule === null ? 'The version was deleted.' : `<code>${escape(rule)}</code>`,
            ...formatByIdentity(counts),
            formatNumber(userTriggered),
          ],
        })),
      ),
      paragraph(
        `The NDJSON file lists the first ${formatNumber(statement.disallowedFetches.length)} of ${formatNumber(statement.disallowedTotal)} disallowed fetches one by one (at most ${formatNumber(LIMITS.disallowed_fetches)}), with path, time and status.`,
      ),
    ]),
    ...renderAddresses(statement),
    section('Gaps in the data', [
      table(
        [fixed('Days (UTC)'), text('Gap'), number('Fetches')],
        statement.gaps.map((gap) => ({
          cells: [
            gap.first_day === gap.last_day ? gap.first_day : `${gap.first_day} to ${gap.last_day}`,
            escape(describeGap(gap)),
            gap.fetches === null ? '' : formatNumber(gap.fetches),
          ],
        })),
      ),
      paragraph('Fetches that the site did not report to Agent Traffic are not in its data and cannot be listed here.'),
    ]),
    section('Definitions', [renderList(DEFINITIONS.map(({ term, text: definition }) => [term, escape(definition)]))]),
    section('Queries', [
      paragraph('Every number is computed from the response of this API request. It returns one fetch per line:'),
      `<p><code>GET ${escape(statement.scope.request)}</code></p>`,
      paragraph(
        'Add <code>&amp;agent=NAME</code> for an agent, and for the identity <code>&amp;result=verified</code> (verified), <code>&amp;result=not_verifiable</code> (claimed) or <code>&amp;result=verification_failed</code> (spoofed). The NDJSON file contains the complete request for each number. Then compute:',
      ),
      renderList(COMPUTATIONS.map(({ term, text: command }) => [term, `<code>${escape(command)}</code>`])),
    ]),
    section('How to check this statement', [
      paragraph(
        'The last line of this file contains an Ed25519 signature of every byte before it. Any change makes it invalid. A PDF or a printout of this document cannot be checked, so keep this file.',
      ),
      renderList([
        ['Command', '<code>agent-traffic statement verify FILE --key KEYS</code>'],
        ['Public keys', `<code>${escape(getKeysUrl(statement.scope))}</code>`],
        ['Data file (NDJSON), SHA-256', `<code>${dataHash}</code>`],
      ]),
    ]),
    '</main>\n</body>\n</html>\n',
  ].join('\n');
}

/** Escapes HTML, and shows control and invisible characters as escapes. */
const escape = (value: string): string => escapeHtml(escapeInvisible(value));

const formatNumber = (value: number): string => value.toLocaleString('en-US');

const formatTime = (time: string): string => `${time.slice(0, 10)} ${time.slice(11, 16)}`;

const formatPurposes = (purposes: readonly string[]): string =>
  purposes.length === 0 ? 'Not documented' : capitalize(purposes.join(', '));

const capitalize = (value: string): string => value.charAt(0).toUpperCase() + value.slice(1);

const formatByIdentity = (counts: CountsByIdentity): string[] =>
  IDENTITIES.map((identity) => formatNumber(counts[identity]));

function formatCounts({
  identity,
  fetches,
  bytes,
  sized_fetches: sized,
  distinct_paths: paths,
}: FetchCounts): string[] {
  const reported = bytes === null ? 'not reported' : formatNumber(bytes);
  return [
    IDENTITY_LABELS[identity],
    formatNumber(fetches),
    bytes !== null && sized < fetches ? `${reported}<br>(${formatNumber(sized)} fetches)` : reported,
    formatNumber(paths),
  ];
}

/** Returns rows in which the first cells are only shown once per group. */
function groupRows<T extends FetchCounts>(items: readonly T[], getCells: (item: T) => string[]): Row[] {
  let previous = '';
  return items.map((item) => {
    const cells = getCells(item);
    const key = JSON.stringify(cells);
    const isFirst = key !== previous;
    previous = key;
    return {
      cells: [...(isFirst ? cells : cells.map(() => '')), ...formatCounts(item)],
      ...(isFirst && { class: 'group' as const }),
    };
  });
}

function renderSignals({ licenses, preferences }: StatementVersion): string {
  const lines = [...licenses, ...preferences].toSorted((one, other) => one.line - other.line);
  if (lines.length === 0) return 'None';
  return lines.map((line) => `Line ${line.line}: <code>${escape(line.text)}</code>`).join('<br>');
}

const describeGap = ({ kind, host }: Gap): string => (host === null ? '' : `${host}: `) + GAP_KINDS[kind];

function renderAddresses({ scope, addresses, addressesTotal }: Statement): string[] {
  if (!scope.includes_addresses) return [];
  const rows = addresses.map(({ address, ...counts }) => ({ cells: [escape(address), ...formatByIdentity(counts)] }));
  return [
    section('Client addresses', [
      table([text('Address'), ...IDENTITY_COLUMNS], rows),
      paragraph(
        `${formatNumber(addresses.length)} of ${formatNumber(addressesTotal)} addresses, those with the most fetches first.`,
      ),
    ]),
  ];
}

const section = (heading: string, content: readonly string[]): string =>
  [`<section>`, `<h2>${heading}</h2>`, ...content, '</section>'].join('\n');

const paragraph = (html: string): string => `<p>${html}</p>`;

const renderList = (items: readonly (readonly [term: string, html: string])[]): string =>
  `<dl>\n${items.map(([term, html]) => `<dt>${term}</dt><dd>${html}</dd>`).join('\n')}\n</dl>`;

/** Returns a table that scrolls on narrow screens, or "None" if there are no rows. The first cell is the row's heading. */
function table(columns: readonly Column[], rows: readonly Row[]): string {
  if (rows.length === 0) return '<p>None.</p>';
  const headings = columns.map(({ heading, kind }) => `<th scope="col" class="${kind}">${heading}</th>`).join('');
  const body = rows.map((row) => {
    const cells = row.cells.map((cell, index) => `<td class="${columns[index]!.kind}">${cell}</td>`).join('');
    return `<tr${row.class === undefined ? '' : ` class="${row.class}"`}>${cells}</tr>`;
  });
  const label = columns.map(({ heading }) => heading).join(', ');
  return `<div class="table" role="region" tabindex="0" aria-label="Table: ${label}">
<table>
<thead><tr>${headings}</tr></thead>
<tbody>
${body.join('\n')}
</tbody>
</table>
</div>`;
}
