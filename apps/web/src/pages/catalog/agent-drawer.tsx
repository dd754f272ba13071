import { Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { agentQuery } from '../../api/catalog-queries.js';
import { groupSampleQuery } from '../../api/unlisted.js';
import { Failure } from '../../ui/failure.js';
import { Remountable } from '../../ui/remount.js';
import { SideDrawer } from '../../ui/side-drawer.js';
import { headerOf } from '../../visit-table/header-of.js';
import { AgentDetails } from './agent-details.js';
import { AgentForm } from './agent-form.js';
import type { CatalogSearch } from './search.js';
import { suggestedAgent } from './suggested-agent.js';

export interface AgentDrawerProps {
  /** Agent to show. Undefined for a new one. */
  token: string | undefined;
  /** Group of unlisted user agents from which a new agent is suggested. */
  group: string | undefined;
  /** Project that the group visited. */
  projectId: string | undefined;
  isEditing: boolean;
  mayChange: boolean;
  onOpen: (to: Partial<CatalogSearch>) => void;
}

export default function AgentDrawer({ token, group, projectId, isEditing, mayChange, onOpen }: AgentDrawerProps) {
  const asked = useQuery({ ...agentQuery(token ?? ''), enabled: token !== undefined });
  const isNew = token === undefined;
  const title = isNew ? 'Add agent' : isEditing && mayChange ? `Change ${token}` : token;
  return (
    <SideDrawer title={title} onClose={() => onOpen({})}>
      {isNew &&
        (group === undefined || projectId === undefined ? (
          <AgentForm agent={null} onSaved={(saved) => onOpen({ agent: saved })} />
        ) : (
          <SuggestedAgent group={group} projectId={projectId} onSaved={(saved) => onOpen({ agent: saved })} />
        ))}
      {!isNew && asked.isPending && <Loader size="sm" />}
      {!isNew && asked.isError && <Failure error={asked.error} title="This agent can't be shown" />}
      {asked.data &&
        (isEditing && mayChange ? (
          <Remountable>
            <AgentForm agent={asked.data} onSaved={(saved) => onOpen({ agent: saved })} />
          </Remountable>
        ) : (
          <AgentDetails agent={asked.data} mayChange={mayChange} onOpen={onOpen} />
        ))}
    </SideDrawer>
  );
}

interface SuggestedAgentProps {
  group: string;
  projectId: string;
  onSaved: (token: string) => void;
}

/** Form for a new agent, filled in from the latest visit of a group. */
function SuggestedAgent({ group, projectId, onSaved }: SuggestedAgentProps) {
  const sample = useQuery(groupSampleQuery(projectId, group));
  if (sample.isPending) return <Loader size="sm" />;
  // Undefined if no visit is stored, or if the user can't read it.
  const sent = sample.data ? headerOf(sample.data.visit, 'user-agent') : undefined;
  const suggested = suggestedAgent(sent ?? group.replaceAll('*', '1.0'));
  return <AgentForm agent={null} suggested={suggested} projectId={projectId} onSaved={onSaved} />;
}
