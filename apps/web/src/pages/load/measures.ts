import { getLoadCost, hasPrices, HOUR_MS, type MeasuredLoad, type Prices } from '#libs/contracts/load-cost';
import { formatBytes } from '../../format/bytes.js';
import { formatCount } from '../../format/count.js';
import { formatAmount, formatPrice } from '../../format/money.js';
import { formatTimeSpan } from '../../format/time-span.js';
import { MEASURE_NAMES, type Measure } from './search.js';

export type LoadAmounts = MeasuredLoad & { requests: number };

interface MeasureDefinition {
  label: string;
  /** Sum over all visits, for sentences. */
  total: string;
  /** Null if the sources didn't report it, or if it has no price. */
  value: (load: LoadAmounts, prices: Prices) => number | null;
  format: (value: number, prices: Prices) => string;
  /** Returns the unit of the chart's axis. @param highest Highest value in the chart. */
  getUnit: (highest: number) => number;
  /** Formats a value in the chart. Default: like `format`. */
  formatInChart?: (value: number, prices: Prices) => string;
}

const TIME_UNITS_MS = [HOUR_MS, 60_000, 1_000];
/** A hundredth of a cent, because an hour can cost much less than a cent. */
const COST_UNIT = 1e-4;

export const MEASURES: Record<Measure, MeasureDefinition> = {
  cost: {
    label: 'Cost',
    total: 'the total cost',
    value: getLoadCost,
    format: (value, { currency }) => formatAmount(value, currency),
    getUnit: () => COST_UNIT,
    formatInChart: (value, { currency }) =>
      value < 1 ? formatPrice(Math.round(value / COST_UNIT) * COST_UNIT, currency) : formatAmount(value, currency),
  },
  bytes: {
    label: 'Bytes',
    total: 'all bytes sent',
    value: ({ bytes }) => bytes,
    format: (value) => formatBytes(value),
    getUnit: () => 1,
  },
  time: {
    label: 'Server time',
    total: 'the total server time',
    value: ({ server_time_ms: time }) => time,
    format: formatTimeSpan,
    formatInChart: (value) => (value === 0 ? '0' : formatTimeSpan(value)),
    getUnit: (highest) => TIME_UNITS_MS.find((unit) => highest >= unit) ?? 1,
  },
  requests: {
    label: 'Requests',
    total: 'all requests',
    value: ({ requests }) => requests,
    format: formatCount,
    getUnit: () => 1,
  },
};

/** Lists the measures that are known for a load, the most meaningful one first. */
export const listMeasures = (load: LoadAmounts, prices: Prices): Measure[] =>
  MEASURE_NAMES.filter(
    (measure) => (measure !== 'cost' || hasPrices(prices)) && MEASURES[measure].value(load, prices) !== null,
  );
