import { Button } from '@mantine/core';
import { useState } from 'react';
import { Confirm } from './confirm.js';

interface RecordActionsProps {
  name: string;
  /** The record was added here, so it can be deleted. */
  isOwn: boolean;
  /** The record came from elsewhere and was changed here, so the changes can be undone. */
  isEdited: boolean;
  onChange: () => void;
  /** Deletes an own record, or undoes the changes to another one. */
  remove: () => Promise<void>;
  /** Consequence of {@link remove}, in a sentence. */
  consequence: string;
}

/** Buttons that change a record of the catalog, delete it or undo its changes. */
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
