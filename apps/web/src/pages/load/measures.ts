import { getLoadCost, hasPrices, HOUR_MS, type MeasuredLoad, type Prices } from '#libs/contracts/load-cost';
import { formatBytes } from '../../format/bytes.js';
import { formatCount } from '../../format/count.js';
import { formatAligned, formatAmount, formatPrice, isUnderSmallestAmount } from '../../format/money.js';
import { formatDuration } from '../../format/duration.js';
import { MEASURE_NAMES, type Measure } from './search.js';

export type LoadAmounts = MeasuredLoad & { requests: number };

interface MeasureDefinition {
  label: string;
  /** Verb after an amount, such as "was spent". */
  passive: string;
  /** Unit after an amount, such as " requests". */
  unit: string;
  /** Null if the sources didn't report it, or if it has no price. */
  value: (load: LoadAmounts, prices: Prices) => number | null;
  format: (value: number, prices: Prices) => string;
  /** Returns true for an amount that only its share describes well. */
  isTiny?: (value: number, prices: Prices) => boolean;
  /** Returns the unit of the chart's axis. @param highest Highest value in the chart. */
  getUnit: (highest: number) => number;
  /** Factor for comparisons. It makes small amounts large enough to compare them by percentage. */
  changeScale: number;
  /** Formats a value in the chart's table. Default: like in the chart. @param highest Highest value in the table. */
  formatInTable?: (value: number, prices: Prices, highest: number) => string;
  /** Formats a value in the chart. Default: like `format`. */
  formatInChart?: (value: number, prices: Prices) => string;
}

const TIME_UNITS_MS = [HOUR_MS, 60_000, 1_000];
/** A hundredth of a cent, because an hour can cost much less than a cent. */
const COST_UNIT = 1e-4;

export const MEASURES: Record<Measure, MeasureDefinition> = {
  cost: {
    label: 'Cost',
    passive: 'was spent',
    unit: '',
    value: getLoadCost,
    format: (value, { currency }) => formatAmount(value, currency),
    isTiny: (value, { currency }) => isUnderSmallestAmount(value, currency),
    formatInTable: (value, { currency }, highest) => formatAligned(value, currency, highest < 1 ? 4 : 2),
    getUnit: () => COST_UNIT,
    changeScale: 1 / COST_UNIT,
    formatInChart: (value, { currency }) =>
      value < 1 ? formatPrice(Math.round(value / COST_UNIT) * COST_UNIT, currency) : formatAmount(value, currency),
  },
  bytes: {
    label: 'Data sent',
    passive: 'was sent',
    unit: '',
    value: ({ bytes }) => bytes,
    format: (value) => formatBytes(value),
    getUnit: () => 1,
    changeScale: 1,
  },
  time: {
    label: 'Server time',
    passive: 'was used',
    unit: ' of server time',
    value: ({ server_time_ms: time }) => time,
    format: formatDuration,
    formatInChart: (value) => (value === 0 ? '0' : formatDuration(value)),
    getUnit: (highest) => TIME_UNITS_MS.find((unit) => highest >= unit) ?? 1,
    changeScale: 1,
  },
  requests: {
    label: 'Requests',
    passive: 'came',
    unit: ' requests',
    value: ({ requests }) => requests,
    format: formatCount,
    getUnit: () => 1,
    changeScale: 1,
  },
};

/** Lists the measures that are known for a load, the most meaningful one first. */
export const listMeasures = (load: LoadAmounts, prices: Prices): Measure[] =>
  MEASURE_NAMES.filter(
    (measure) => (measure !== 'cost' || hasPrices(prices)) && MEASURES[measure].value(load, prices) !== null,
  );

/** Adds up amounts. Sizes and times are null if no item has one. */
export function sumAmounts(items: readonly LoadAmounts[]): LoadAmounts {
  const sum = (values: (number | null)[]): number | null =>
    values.reduce((total, value) => (value === null ? total : (total ?? 0) + value), null);
  return {
    requests: sum(items.map(({ requests }) => requests)) ?? 0,
    bytes: sum(items.map(({ bytes }) => bytes)),
    server_time_ms: sum(items.map((item) => item.server_time_ms)),
  };
}
