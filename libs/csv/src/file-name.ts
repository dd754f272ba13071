/** Of each part, in characters. */
const MAX_LENGTH = 60;

/** What a file has rows of, from when to when; ISO 8601, absent where it has no bound. */
export interface FileRange {
  from?: string | undefined;
  to?: string | undefined;
}

/**
 * Returns a name such as `the-shop-visits-2026-11-20-2026-11-21.csv`, in ASCII, which every system takes. A time within a
 * day (UTC) is `2026-11-20T1745Z`.
 *
 * @param owner the project's name; or of whom it is otherwise.
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
