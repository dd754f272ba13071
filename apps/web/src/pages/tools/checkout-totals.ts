import type { ToolsReport } from '../../api/tools.js';
import { formatMoney } from '../../format/money.js';

type CheckoutSum = ToolsReport['checkouts'][number];

/** Formats the totals of checkouts, one for each currency, such as "€3,193.40". */
export const formatTotals = (checkouts: readonly CheckoutSum[]): string[] =>
  [...Map.groupBy(checkouts, ({ currency }) => currency)].flatMap(([currency, rows]) => {
    const total = rows.reduce((sum, row) => sum + (row.total ?? 0), 0);
    return currency === null || total === 0 ? [] : [formatMoney(total, currency, rows[0]!.minor_digits)];
  });

/** Returns the total of checkouts with the same currency in major units, or null if it's unknown. */
export const getMajorTotal = (checkouts: readonly CheckoutSum[]): number | null =>
  checkouts.length === 0
    ? null
    : checkouts.reduce((sum, { total, minor_digits: digits }) => sum + (total ?? 0) / 10 ** digits, 0);
