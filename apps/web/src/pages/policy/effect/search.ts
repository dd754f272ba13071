const EFFECT_DAYS = [7, 30] as const;
export const EFFECT_PERIODS = EFFECT_DAYS.map((days) => ({ value: String(days), label: `Last ${days} days` }));
export const DEFAULT_DAYS = 30;

/** Search parameters of a rule's page. */
interface EffectSearch {
  /** Number of days, including today. Default: 30. */
  days?: number;
  /** Selected tab of the card with details. Default: the first one. */
  tab?: string;
  /** Shows the chart as a table. */
  table?: true;
}

/** Parses the URL search parameters and ignores invalid ones. */
export function parseEffectSearch({ days, tab, table }: Record<string, unknown>): EffectSearch {
  const period = EFFECT_DAYS.find((one) => one === Number(days));
  return {
    ...(period !== undefined && period !== DEFAULT_DAYS && { days: period }),
    ...(typeof tab === 'string' && { tab }),
    ...((table === true || table === 'true') && { table: true as const }),
  };
}
