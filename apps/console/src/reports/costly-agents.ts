import type { LoadReport } from '#libs/contracts';
import { formatDuration } from '#libs/contracts/duration';
import { GB_BYTES, getLoadCost, hasPrices, type MeasuredLoad, type Prices } from '#libs/contracts/load-cost';

const MAX_AGENTS = 3;

export interface CostlyAgents {
  title: string;
  /** Total for all agents, in a sentence. */
  text: string;
  unit: string;
  agents: { agent_id: string; agent_token: string | null; value: string; share: number }[];
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
          title: 'Cost',
          unit: 'Cost',
          describe: (amount: string) => `Agents cost you about ${amount}.`,
          getAmount: (load: MeasuredLoad) => getLoadCost(load, prices),
          format: (amount: number) => amount.toLocaleString('en-US', { style: 'currency', currency }),
        }
      : total.bytes !== null
        ? {
            title: 'Data transfer',
            unit: 'Data',
            describe: (amount: string) => `Your site sent ${amount} to agents.`,
            getAmount: ({ bytes }: MeasuredLoad) => bytes,
            format: (bytes: number) => `${formatDigits(bytes / GB_BYTES)} GB`,
          }
        : {
            title: 'Server time',
            unit: 'Time',
            describe: (amount: string) => `Agents used ${amount} of server time.`,
            getAmount: ({ server_time_ms: time }: MeasuredLoad) => time,
            format: formatDuration,
          };
  const totalAmount = measure.getAmount(total) ?? 0;
  const agents = rows
    .flatMap((row) => (row.value === null ? [] : [{ ...row, id: row.value, amount: measure.getAmount(row) ?? 0 }]))
    .filter(({ amount }) => measure.format(amount) !== measure.format(0))
    .toSorted((one, other) => other.amount - one.amount)
    .slice(0, MAX_AGENTS)
    .map(({ id, agent_token: token, amount }) => ({
      agent_id: id,
      agent_token: token,
      value: measure.format(amount),
      share: amount / totalAmount,
    }));
  if (agents.length === 0) return null;
  const { title, unit } = measure;
  return { title, unit, text: measure.describe(measure.format(totalAmount)), agents };
}

const formatDigits = (value: number): string => value.toLocaleString('en-US', { maximumSignificantDigits: 3 });
