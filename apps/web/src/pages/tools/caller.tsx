import { Text } from '@mantine/core';
import type { ToolsReport } from '../../api/tools.js';
import type { FilterSet } from '../../filters/filter-set.js';
import { agentFilter, agentLink, listLink } from '../../range/list-link.js';
import type { LinkedRange } from '../../range/range.js';
import { MarkedName } from '../../ui/agent-mark.js';
import { TextLink } from '../../ui/text-link.js';
import { toFilters } from '../../filters/visit-filters.js';

/** Tool caller or buyer: one agent, all visits that failed verification combined, or all unknown visitors combined. */
type Caller = Pick<ToolsReport['callers'][number], 'agent_id' | 'agent_token' | 'operator_name' | 'is_spoofed'>;

export function callerText({ agent_id: id, agent_token: token, is_spoofed: isSpoofed }: Caller): string {
  if (isSpoofed) return 'Failed verification';
  return id === null ? 'Unknown visitors' : (token ?? 'No longer in the catalog');
}

export function callerFilters({ agent_id: id, agent_token: token, is_spoofed: isSpoofed }: Caller): FilterSet {
  if (isSpoofed) return { result: ['verification_failed'] };
  if (id === null) return { result: ['unknown_agent'] };
  const agent = agentFilter({ agent_id: id, agent_token: token });
  return { agent: [agent], not_result: ['verification_failed'] };
}

export const visitsLink = (projectId: string, range: LinkedRange) => (set: FilterSet) =>
  listLink(projectId, range)(toFilters(set));

export function CallerName({ caller, projectId, linked }: { caller: Caller; projectId: string; linked: LinkedRange }) {
  const { agent_id: id, operator_name: operator } = caller;
  if (id === null) return callerText(caller);
  return (
    <MarkedName name={callerText(caller)} operator={operator}>
      <TextLink {...agentLink(projectId, id, linked)} size="sm">
        {callerText(caller)}
      </TextLink>
      {operator !== null && (
        <Text size="xs" c="dimmed" fw={400}>
          {operator}
        </Text>
      )}
    </MarkedName>
  );
}
