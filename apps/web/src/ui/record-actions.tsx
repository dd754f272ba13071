import { Button } from '@mantine/core';
import { useState } from 'react';
import { Confirm } from './confirm.js';

interface RecordActionsProps {
  name: string;
  /** Whether the record was added here. It can then be deleted. */
  isOwn: boolean;
  /** Whether a record from elsewhere was changed here. The changes can then be undone. */
  isEdited: boolean;
  onChange: () => void;
  /** Deletes the record if it was added here, otherwise undoes its changes. */
  remove: () => Promise<void>;
  /** Sentence that explains what {@link remove} will do. */
  consequence: string;
}

/** Buttons to change a catalog record, delete it or undo its changes. */
export function RecordActions({ name, isOwn, isEdited, onChange, remove, consequence }: RecordActionsProps) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={onChange}>
        Change
      </Button>
      {(isOwn || isEdited) && (
        <Button size="compact-sm" variant="default" c="var(--failed)" onClick={() => setAsking(true)}>
          {isOwn ? 'Delete' : 'Undo changes'}
        </Button>
      )}
      {isAsking && (
        <Confirm
          title={isOwn ? `Delete ${name}?` : `Undo changes to ${name}?`}
          label={isOwn ? 'Delete' : 'Undo'}
          action={remove}
          onClose={() => setAsking(false)}
        >
          {consequence}
        </Confirm>
      )}
    </>
  );
}
