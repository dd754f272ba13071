import type { Overview } from '../api/statistics.js';
import { getOperatorColor } from '../ui/operator-colors.js';
import type { ChartSeries } from './chart.js';

/** Returns a series for each agent. Agents of the same operator have lighter and lighter shades of its color. */
export function getAgentSeries({ top_agents: agents }: Pick<Overview, 'top_agents'>): ChartSeries[] {
  const shades = new Map<string, number>();
  return [
    ...agents.map((agent): ChartSeries => {
      const color = getOperatorColor(agent.operator_name);
      const shade = shades.get(color) ?? 0;
      shades.set(color, shade + 1);
      return {
        key: agent.agent_id,
        label: agent.agent_token ?? 'No longer in the catalog',
        color: shade === 0 ? color : `color-mix(in srgb, ${color} ${Math.max(30, 100 - 30 * shade)}%, white)`,
      };
    }),
    { key: '', label: 'Other agents', color: 'var(--kind-other)' },
  ];
}
