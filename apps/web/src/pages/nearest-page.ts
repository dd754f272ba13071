import { PAGE_GROUPS } from '../shell/project-pages.js';

interface SuggestedPage {
  path: string;
  label: string;
}

/** Maximum number of typos: wrong, missing, extra, or swapped letters. */
const MAX_TYPOS = 2;

const PROJECT_PAGES = PAGE_GROUPS.flatMap(({ pages }) => pages.map(([path, label]) => ({ path, label })));
const INSTANCE_PAGES: readonly SuggestedPage[] = [
  { path: 'projects', label: 'Projects' },
  { path: 'catalog', label: 'Catalog' },
  { path: 'system', label: 'System' },
  { path: 'audit', label: 'Audit log' },
  { path: 'account', label: 'Account' },
];

/**
 * Returns the page whose address was probably mistyped, such as Reports for "/projects/1/reprots". Null if none is
 * similar enough.
 *
 * @param projectId Project whose pages are suggested, or undefined for none.
 */
export function findNearestPage(pathname: string, projectId: string | undefined): SuggestedPage | null {
  const typed = decode(pathname.split('/').findLast(Boolean) ?? '').toLowerCase();
  const pages = [
    ...(projectId === undefined
      ? []
      : PROJECT_PAGES.map(({ path, label }) => ({ path: `/projects/${projectId}/${path}`, label }))),
    ...INSTANCE_PAGES.map(({ path, label }) => ({ path: `/${path}`, label })),
  ];
  const [nearest] = pages
    .map((page) => {
      const names = [page.path.split('/').at(-1)!, page.label.toLowerCase()];
      return { page, typos: Math.min(...names.map((name) => countTypos(typed, name))), length: names[0]!.length };
    })
    // In a short name, two typos would match almost anything.
    .filter(({ typos, length }) => typos <= Math.min(MAX_TYPOS, Math.floor(length / 3)))
    .toSorted((one, other) => one.typos - other.typos);
  return nearest?.page ?? null;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Edit distance in which swapping neighboring letters counts as one edit. */
function countTypos(one: string, other: string): number {
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= one.length; row++) {
    const current = [row];
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      current[column] = Math.min(
        rows[row - 1]![column]! + 1,
        current[column - 1]! + 1,
        rows[row - 1]![column - 1]! + (isSame ? 0 : 1),
        isSwapped ? rows[row - 2]![column - 2]! + 1 : Infinity,
      );
    }
    rows.push(current);
  }
  return rows.at(-1)!.at(-1)!;
}
