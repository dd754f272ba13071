import { Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { agentQuery, seenAgentsQuery } from '../../api/catalog-queries.js';
import { groupSampleQuery } from '../../api/unlisted-user-agents.js';
import { MarkedName } from '../../ui/agent-mark.js';
import { Failure } from '../../ui/failure.js';
import { Remountable } from '../../ui/remount.js';
import { SideDrawer } from '../../ui/side-drawer.js';
import { getHeader } from '../../visit-table/get-header.js';
import { AgentDetails } from './agent-details.js';
import { AgentForm } from './agent-form.js';
import type { CatalogSearch } from './search.js';
import { suggestAgent } from '../../catalog/suggest-agent.js';

export interface AgentDrawerProps {
  /** Token of the agent to show, or undefined for a new one. */
  token: string | undefined;
  /** User agent group that a new agent is suggested for. */
  group: string | undefined;
  /** Project visited by the group. */
  projectId: string | undefined;
  isEditing: boolean;
  mayChange: boolean;
  onOpen: (to: Partial<CatalogSearch>) => void;
}

export default function AgentDrawer({ token, group, projectId, isEditing, mayChange, onOpen }: AgentDrawerProps) {
  const query = useQuery({ ...agentQuery(token ?? ''), enabled: token !== undefined });
  // The visits are shown first and would move everything below them.
  const { isPending: areVisitsPending } = useQuery(seenAgentsQuery);
  const isNew = token === undefined;
  const name = isNew ? 'Add agent' : isEditing && mayChange ? `Edit ${token}` : token;
  const title = query.data ? (
    <MarkedName name={query.data.token} operator={query.data.operator}>
      {name}
    </MarkedName>
  ) : (
    name
  );
  return (
    <SideDrawer title={title} onClose={() => onOpen({})}>
      {isNew &&
        (group === undefined || projectId === undefined ? (
          <AgentForm agent={null} onSaved={(saved) => onOpen({ agent: saved })} />
        ) : (
          <SuggestedAgent group={group} projectId={projectId} onSaved={(saved) => onOpen({ agent: saved })} />
        ))}
      {!isNew && (query.isPending || areVisitsPending) && !query.isError && <Loader size="sm" />}
      {!isNew && query.isError && <Failure error={query.error} title="Couldn't load this agent" />}
      {query.data &&
        !areVisitsPending &&
        (isEditing && mayChange ? (
          <Remountable>
            <AgentForm agent={query.data} onSaved={(saved) => onOpen({ agent: saved })} />
          </Remountable>
        ) : (
          <AgentDetails agent={query.data} mayChange={mayChange} onOpen={onOpen} />
        ))}
    </SideDrawer>
  );
}

interface SuggestedAgentProps {
  group: string;
  projectId: string;
  onSaved: (token: string) => void;
}

/** Form for a new agent, prefilled from the group's latest visit. */
function SuggestedAgent({ group, projectId, onSaved }: SuggestedAgentProps) {
  const sample = useQuery(groupSampleQuery(projectId, group));
  if (sample.isPending) return <Loader size="sm" />;
  // Undefined if no visit is stored or the user can't view it.
  const userAgent = sample.data ? getHeader(sample.data.visit, 'user-agent') : undefined;
  const suggested = suggestAgent(userAgent ?? group.replaceAll('*', '1.0'));
  return <AgentForm agent={null} suggested={suggested} projectId={projectId} onSaved={onSaved} />;
}
