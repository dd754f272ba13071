import { use } from 'react';
import type { Overview } from '../../api/statistics.js';
import { formatChange } from '../../format/change.js';
import { formatCount, formatVisitCount } from '../../format/count.js';
import { EarlierDataContext } from '../../range/earlier-data.js';
import { Answer } from '../../ui/answer.js';

const MAX_NAMES = 3;

interface OverviewAnswerProps {
  overview: Overview;
  isCompared: boolean;
}

/** Sums up how many agents visited, how often, and which ones visited most. */
export function OverviewAnswer({ overview: { current, previous, top_agents: top }, isCompared }: OverviewAnswerProps) {
  const hasEarlierData = use(EarlierDataContext);
  const { agents, agent_visits: visits } = current;
  const change = isCompared && hasEarlierData ? ` (${formatChange(visits, previous.agent_visits)})` : '';
  const names = top.slice(0, MAX_NAMES).flatMap(({ agent_token: token }) => token ?? []);
  return (
    <Answer>
      {agents === 0
        ? 'No known agents visited.'
        : `${formatCount(agents)} ${agents === 1 ? 'agent' : 'agents'} made ${formatVisitCount(visits)}${change}${names.length === 0 ? '' : `, led by ${new Intl.ListFormat('en-GB').format(names)}`}.`}
    </Answer>
  );
}
