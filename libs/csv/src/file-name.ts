const MAX_NAME_LENGTH = 60;

/** Time range of a file's rows in ISO 8601 format. Undefined means unbounded. */
export interface FileRange {
  from?: string | undefined;
  to?: string | undefined;
}

/**
 * Returns a portable ASCII file name, such as `the-shop-visits-2026-11-20-2026-11-21.csv`. Times other than midnight
 * UTC are formatted like `2026-11-20T1745Z`.
 *
 * @param owner Name of the project or other owner of the data.
 */
export function createFileName(owner: string, content: string, { from, to }: FileRange, extension: string): string {
  const parts = [toSlug(owner) || 'project', toSlug(content), ...[from, to].flatMap((time) => formatTime(time) ?? [])];
  return `${parts.join('-')}.${extension}`;
}

const toSlug = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .slice(0, MAX_NAME_LENGTH)
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
    .join('-');

function formatTime(time: string | undefined): string | undefined {
  if (time === undefined) return undefined;
  const text = new Date(time).toISOString();
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : `${text.slice(0, 16).replace(':', '')}Z`;
}
