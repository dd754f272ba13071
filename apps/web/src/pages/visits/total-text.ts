import { aboutText, countText, visitsText } from '../../format/count.js';

interface Total {
  /** Null if unknown. */
  visits: number | null;
  is_exact: boolean;
}

/** Returns a text such as "1,399 visits, 100 shown; scroll for more". @param total Undefined while loading. */
export function totalText(shown: number, hasMore: boolean, total: Total | undefined): string {
  if (!hasMore) return visitsText(shown);
  const known = total?.visits ?? null;
  if (known === null || known <= shown) return `${visitsText(shown)} so far; scroll for more`;
  return `${visitsText(known, total!.is_exact ? undefined : aboutText(known))}, ${countText(shown)} shown; scroll for more`;
}
