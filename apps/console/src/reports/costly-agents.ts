import type { LoadReport } from '#libs/contracts';
import { GB_BYTES, getLoadCost, hasPrices, HOUR_MS, type Prices } from '#libs/contracts/load-cost';

const MAX_AGENTS = 3;

type LoadRow = LoadReport['rows'][number];

export interface CostlyAgents {
  title: string;
  agents: { agent_id: string; agent_token: string | null; value: string }[];
}

/**
 * Lists the agents that cost the most. Without prices, ranks agents by the bytes sent to them or, if no sizes were
 * reported, by the server time they used.
 *
 * @returns Null if neither was reported.
 */
export function listCostlyAgents({ total, rows }: LoadReport, prices: Prices): CostlyAgents | null {
  const { currency } = prices;
  const measure =
    hasPrices(prices) && getLoadCost(total, prices) !== null
      ? {
          title: 'Most expensive agents',
          getAmount: (row: LoadRow) => getLoadCost(row, prices),
          format: (amount: number) => amount.toLocaleString('en-US', { style: 'currency', currency }),
        }
      : total.bytes !== null
        ? {
            title: 'Agents that were sent the most data',
            getAmount: ({ bytes }: LoadRow) => bytes,
            format: (bytes: number) => `${formatDigits(bytes / GB_BYTES)} GB`,
          }
        : {
            title: 'Agents that used the most server time',
            getAmount: ({ server_time_ms: time }: LoadRow) => time,
            format: (time: number) => `${formatDigits(time / HOUR_MS)} h`,
          };
  const agents = rows
    .flatMap((row) => (row.value === null ? [] : [{ ...row, id: row.value, amount: measure.getAmount(row) ?? 0 }]))
    .filter(({ amount }) => measure.format(amount) !== measure.format(0))
    .toSorted((one, other) => other.amount - one.amount)
    .slice(0, MAX_AGENTS)
    .map(({ id, agent_token: token, amount }) => ({
      agent_id: id,
      agent_token: token,
      value: measure.format(amount),
    }));
  return agents.length === 0 ? null : { title: measure.title, agents };
}

const formatDigits = (value: number): string => value.toLocaleString('en-US', { maximumSignificantDigits: 3 });
