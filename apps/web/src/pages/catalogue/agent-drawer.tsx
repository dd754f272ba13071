import { Drawer, Loader } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { agentQuery } from '../../api/catalogue-queries.js';
import { Failure } from '../../shell/failure.js';
import { useReturnFocus } from '../../shell/return-focus.js';
import { AgentDetails } from './agent-details.js';
import { AgentForm } from './agent-form.js';
import type { CatalogueSearch } from './search.js';

export interface AgentDrawerProps {
  /** Absent: another one is added. */
  token: string | undefined;
  isEditing: boolean;
  mayChange: boolean;
  onOpen: (to: Partial<CatalogueSearch>) => void;
}

/** One agent, to be read or changed; or a new one. */
export default function AgentDrawer({ token, isEditing, mayChange, onOpen }: AgentDrawerProps) {
  useReturnFocus();
  const isNarrow = useMediaQuery('(max-width: 48em)') ?? false;
  const asked = useQuery({ ...agentQuery(token ?? ''), enabled: token !== undefined });
  const isNew = token === undefined;
  const title = isNew ? 'Add an agent' : isEditing && mayChange ? `Change ${token}` : token;
  return (
    <Drawer
      opened
      onClose={() => onOpen({})}
      position="right"
      size={isNarrow ? '100%' : 'lg'}
      title={title}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {isNew && <AgentForm agent={null} onSaved={(saved) => onOpen({ agent: saved })} />}
      {!isNew && asked.isPending && <Loader size="sm" aria-label="Loading" />}
      {!isNew && asked.isError && <Failure error={asked.error} title="This agent can't be shown" />}
      {asked.data &&
        (isEditing && mayChange ? (
          <AgentForm agent={asked.data} onSaved={(saved) => onOpen({ agent: saved })} />
        ) : (
          <AgentDetails agent={asked.data} mayChange={mayChange} onOpen={onOpen} />
        ))}
    </Drawer>
  );
}
