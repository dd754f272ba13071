import { getLoadCost, hasPrices, type MeasuredLoad, type Prices } from '#libs/contracts/load-cost';
import { formatBytes } from '../../format/bytes.js';
import { formatCount } from '../../format/count.js';
import { formatLongDuration } from '../../format/duration.js';
import { formatAmount } from '../../format/money.js';
import { MEASURE_NAMES, type Measure } from './search.js';

type LoadAmounts = MeasuredLoad & { requests: number };

interface MeasureDefinition {
  label: string;
  /** Null if the sources didn't report it, or if it has no price. */
  value: (load: LoadAmounts, prices: Prices) => number | null;
  format: (value: number, prices: Prices) => string;
}

export const MEASURES: Record<Measure, MeasureDefinition> = {
  cost: { label: 'Cost', value: getLoadCost, format: (value, { currency }) => formatAmount(value, currency) },
  bytes: { label: 'Bytes', value: ({ bytes }) => bytes, format: formatBytes },
  time: { label: 'Time', value: ({ server_time_ms: time }) => time, format: formatLongDuration },
  requests: { label: 'Requests', value: ({ requests }) => requests, format: formatCount },
};

/** Lists the measures that are known for a load, the most meaningful one first. */
export const listMeasures = (load: LoadAmounts, prices: Prices): Measure[] =>
  MEASURE_NAMES.filter(
    (measure) => (measure !== 'cost' || hasPrices(prices)) && MEASURES[measure].value(load, prices) !== null,
  );
