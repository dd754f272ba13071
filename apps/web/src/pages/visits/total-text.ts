import { formatRoundedCount, formatCount, formatVisitCount } from '../../format/count.js';

interface Total {
  /** Null if unknown. */
  visits: number | null;
  is_exact: boolean;
}

/** Returns text such as "1,399 visits, 100 loaded". @param total Undefined while loading. */
export function totalText(shown: number, hasMore: boolean, total: Total | undefined): string {
  if (!hasMore) return formatVisitCount(shown);
  const totalVisits = total?.visits ?? null;
  if (totalVisits === null || totalVisits <= shown) return `${formatVisitCount(shown)} loaded`;
  return `${formatVisitCount(totalVisits, total!.is_exact ? undefined : formatRoundedCount(totalVisits))}, ${formatCount(shown)} loaded`;
}
