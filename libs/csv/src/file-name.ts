/** Maximum length of each name in characters. */
const MAX_LENGTH = 60;

/** Time range of the rows in a file, in ISO 8601 format. Undefined means unbounded. */
export interface FileRange {
  from?: string | undefined;
  to?: string | undefined;
}

/**
 * Returns a portable ASCII file name, such as `the-shop-visits-2026-11-20-2026-11-21.csv`. A time other than midnight
 * (UTC) is formatted as `2026-11-20T1745Z`.
 *
 * @param owner Name of the project or other owner of the data.
 */
export function fileName(owner: string, page: string, { from, to }: FileRange, extension: string): string {
  const parts = [plain(owner) || 'project', plain(page), ...[from, to].flatMap((time) => instant(time) ?? [])];
  return `${parts.join('-')}.${extension}`;
}

const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .slice(0, MAX_LENGTH)
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
    .join('-');

function instant(time: string | undefined): string | undefined {
  if (time === undefined) return undefined;
  const text = new Date(time).toISOString();
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : `${text.slice(0, 16).replace(':', '')}Z`;
}
