import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { PolicyRule } from '#libs/contracts';
import { AgentActions } from '../../actions/agent-actions.js';
import type { Finding, FindingLink } from '../../actions/finding.js';
import type { Project } from '../../api/client.js';
import { policyQuery } from '../../api/policy.js';
import { sessionQuery } from '../../api/queries.js';
import { groupSampleQuery, type UnlistedGroup } from '../../api/unlisted-user-agents.js';
import type { Range } from '../../range/range.js';
import type { Requests } from '../../rules/agent-response.js';
import { getHeader } from '../../visit-table/get-header.js';
import { getBlockableName, getBotName } from './bots.js';

interface BotActionsProps {
  project: Project;
  group: UnlistedGroup;
  range: Range;
  timeZone: string;
  /** The bot's visits. */
  visits: FindingLink;
  /** Emphasizes the button that blocks, and shows the bot's name on it. */
  isPrimary?: boolean;
}

/** Buttons that block a bot by its user agent or network, and open a menu of other actions. */
export function BotActions({ project, group, range, timeZone, visits, isPrimary = false }: BotActionsProps) {
  const { user_agent_group: userAgent, networks } = group;
  const { data: session } = useQuery(sessionQuery);
  const { data: policy } = useQuery(policyQuery(project.id));
  const queryClient = useQueryClient();
  const mayAddAgents = session?.user?.is_admin === true;
  const loadFinding = async (): Promise<Finding> => {
    const { toUnlistedFinding } = await import('../../actions/agent-findings.js');
    const { getBlockChoices } = await import('./block-choices.js');
    const sample = await queryClient.fetchQuery(groupSampleQuery(project.id, userAgent));
    return {
      ...toUnlistedFinding(group, { range, timeZone, visits }),
      blockChoices: getBlockChoices(group, {
        userAgent: sample ? getHeader(sample.visit, 'user-agent') : undefined,
        mayAddAgents,
      }),
    };
  };
  return (
    <AgentActions
      project={project}
      loadFinding={loadFinding}
      of={userAgent}
      isCompact
      isPrimary={isPrimary}
      {...(isPrimary && { blockLabel: `Block ${getBotName(group)}…` })}
      canBlock={networks.length > 0 || (mayAddAgents && getBlockableName(userAgent) !== null)}
      requests={toRequests(group, policy?.rules ?? [])}
    />
  );
}

/**
 * Returns the requests that a row counts. Rules can apply to the user agent after it was added to the catalog, and to
 * the network if there's only one.
 */
function toRequests(
  { user_agent_group: group, networks }: UnlistedGroup,
  rules: readonly Pick<PolicyRule, 'visitors'>[],
): Requests[] {
  const name = getBlockableName(group);
  const isNamed = name !== null && rules.some(({ visitors }) => visitors?.agent_tokens?.includes(name));
  if (!isNamed && networks.length !== 1) return [];
  return [
    {
      agent_token: isNamed ? name : null,
      agent_type_name: null,
      operator_name: null,
      ...(networks.length === 1 && { network: networks[0]!.prefix }),
    },
  ];
}
