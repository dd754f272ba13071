import { CRAWL_PURPOSES } from '#libs/agents/vocabulary';
import type { PermissionMatrixItem, Permissions, PermissionStatement } from '#libs/contracts';
import { escapeInvisible, plural } from '../terminal-text.js';
import { buildRows, type Report } from './report.js';

type Purpose = PermissionMatrixItem['purposes'][number];
type Contradiction = PermissionMatrixItem['contradictions'][number];

interface Row {
  matrix: PermissionMatrixItem;
  mechanism: Permissions['mechanisms'][number];
}

const getOutcome = ({ matrix, mechanism }: Row, purpose: Purpose['purpose']): string | null =>
  matrix.purposes.find((row) => row.purpose === purpose)!.cells.find((cell) => cell.mechanism === mechanism.mechanism)!
    .outcome;

const isContradicted = ({ matrix, mechanism }: Row, purpose: Purpose['purpose']): boolean =>
  matrix.contradictions.some((found) => found.purpose === purpose && found.mechanism === mechanism.mechanism);

const createColumn = (purpose: Purpose['purpose']) => ({
  heading: CRAWL_PURPOSES[purpose].label,
  value: (row: Row) => getOutcome(row, purpose),
  text: (row: Row) => `${getOutcome(row, purpose) ?? '-'}${isContradicted(row, purpose) ? ' !' : ''}`,
});

const COLUMNS = [
  { heading: 'Version', value: ({ matrix }: Row) => matrix.version?.id ?? null, isOnlyInCsv: true },
  { heading: 'Served from', value: ({ matrix }: Row) => matrix.version?.served_from ?? null, isOnlyInCsv: true },
  { heading: 'Mechanism', value: ({ mechanism }: Row) => mechanism.label },
  createColumn('training'),
  createColumn('search'),
  createColumn('user'),
  {
    heading: 'Based on',
    value: ({ mechanism }: Row) =>
      mechanism.references.map(({ name, date }) => (date === null ? name : `${name} (${date})`)).join(', '),
  },
] as const;

function describeContradiction(
  { purpose, mechanism, permissions, restrictions, visits }: Contradiction,
  labels: ReadonlyMap<string, string>,
): string {
  const list = (statements: readonly PermissionStatement[]): string =>
    [...new Set(statements.map(({ text }) => escapeInvisible(text)))].join('; ');
  const names = [...new Set(restrictions.map((statement) => labels.get(statement.mechanism)!))].join(', ');
  return (
    `- ${CRAWL_PURPOSES[purpose].label}: ${labels.get(mechanism)!} permits it (${list(permissions)}), ` +
    `but not ${names} (${list(restrictions)}). ${plural(visits, 'visit')}.`
  );
}

function summarize({ host, matrices, mechanisms, sample }: Permissions): string {
  const [newest] = matrices;
  const labels = new Map(mechanisms.map(({ mechanism, label }) => [mechanism as string, label]));
  const contradictions = newest?.contradictions ?? [];
  const version = newest?.version == null ? 'no known robots.txt' : `robots.txt since ${newest.version.served_from}`;
  const of = sample.is_partial ? ' (a sample)' : '';
  const head = `${host ?? 'No host'}, ${version}: ${plural(contradictions.length, 'contradiction')}. Based on ${plural(sample.visits, 'visit')}${of}.`;
  return [head, ...contradictions.map((found) => describeContradiction(found, labels))].join('\n');
}

export const permissionsReport: Report<'/api/projects/{id}/permissions'> = {
  name: 'permissions',
  description: 'permissions that the site grants and refuses, and their contradictions',
  path: '/api/projects/{id}/permissions',
  help: `
Compares robots.txt, Content-Signal, Content-Usage, X-Robots-Tag, RSL licenses and
the responses to agents on the project's first host. The range can be up to 31 days
long. The table shows the newest robots.txt version, --csv and --json all of them.
The most restrictive statement takes precedence. Permissions that another statement
overrides are marked with !. "conditional" requires a payment or a license, and
"mixed" differs between agents.`,
  read: (permissions: Permissions) => {
    const toRows = (matrices: readonly PermissionMatrixItem[]): Row[] =>
      matrices.flatMap((matrix) => permissions.mechanisms.map((mechanism) => ({ matrix, mechanism })));
    return {
      ...buildRows<Row>(toRows(permissions.matrices.slice(0, 1)), COLUMNS),
      csv: buildRows<Row>(toRows(permissions.matrices), COLUMNS).csv,
      summary: summarize(permissions),
      empty: 'No robots.txt versions in this range.',
    };
  },
};
