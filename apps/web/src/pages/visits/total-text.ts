import { aboutText, countText } from '../../format/count.js';

export interface Total {
  /** Null where it is not known. */
  visits: number | null;
  is_exact: boolean;
}

/** "1,399 visits, 100 shown; scroll for more". @param total absent until it is known. */
export function totalText(shown: number, hasMore: boolean, total: Total | undefined): string {
  if (!hasMore) return visitsText(countText(shown), shown);
  const known = total?.visits ?? null;
  if (known === null || known <= shown) return `${visitsText(countText(shown), shown)} so far; scroll for more`;
  return `${visitsText(total!.is_exact ? countText(known) : aboutText(known), known)}, ${countText(shown)} shown; scroll for more`;
}

const visitsText = (number: string, count: number): string => `${number} ${count === 1 ? 'visit' : 'visits'}`;
