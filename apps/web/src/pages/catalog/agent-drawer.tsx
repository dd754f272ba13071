import { Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { agentQuery } from '../../api/catalog-queries.js';
import { Failure } from '../../ui/failure.js';
import { SideDrawer } from '../../ui/side-drawer.js';
import { AgentDetails } from './agent-details.js';
import { AgentForm } from './agent-form.js';
import type { CatalogSearch } from './search.js';

export interface AgentDrawerProps {
  /** Absent: another one is added. */
  token: string | undefined;
  isEditing: boolean;
  mayChange: boolean;
  onOpen: (to: Partial<CatalogSearch>) => void;
}

/** One agent, to be read or changed; or a new one. */
export default function AgentDrawer({ token, isEditing, mayChange, onOpen }: AgentDrawerProps) {
  const asked = useQuery({ ...agentQuery(token ?? ''), enabled: token !== undefined });
  const isNew = token === undefined;
  const title = isNew ? 'Add agent' : isEditing && mayChange ? `Change ${token}` : token;
  return (
    <SideDrawer title={title} onClose={() => onOpen({})}>
      {isNew && <AgentForm agent={null} onSaved={(saved) => onOpen({ agent: saved })} />}
      {!isNew && asked.isPending && <Loader size="sm" />}
      {!isNew && asked.isError && <Failure error={asked.error} title="This agent can't be shown" />}
      {asked.data &&
        (isEditing && mayChange ? (
          <AgentForm agent={asked.data} onSaved={(saved) => onOpen({ agent: saved })} />
        ) : (
          <AgentDetails agent={asked.data} mayChange={mayChange} onOpen={onOpen} />
        ))}
    </SideDrawer>
  );
}
