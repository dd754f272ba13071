import type { LinkProps } from '@tanstack/react-router';

/** Returns link properties for a dashboard path from the API, which can contain a query string or a hash. */
export function toPageLink(path: string): Pick<LinkProps, 'to' | 'search' | 'hash'> {
  const [location = '', hash = ''] = path.split('#');
  const [pathname, query] = location.split('?');
  return { to: pathname as never, search: toSearch(query) as never, hash };
}

/** Converts a query string to search parameters. Repeated parameters become lists. */
function toSearch(query = ''): Record<string, string | string[]> {
  const params = new URLSearchParams(query);
  return Object.fromEntries(
    [...params.keys()].map((name) => {
      const values = params.getAll(name);
      return [name, values.length === 1 ? values[0]! : values];
    }),
  );
}
