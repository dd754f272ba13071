import { Button } from '@mantine/core';
import { useState } from 'react';
import { Confirm } from './confirm.js';

interface RecordActionsProps {
  name: string;
  /** True if the record was added here. Such records can be deleted. */
  isOwn: boolean;
  /** True if a record from a release or feed was edited here. Such changes can be undone. */
  isEdited: boolean;
  onChange: () => void;
  /** Deletes the record if it was added here. Otherwise, undoes its changes. */
  remove: () => Promise<void>;
  /** Sentence that describes the effect of {@link remove}. */
  consequence: string;
}

/** Buttons for editing a catalog record, deleting it or undoing its changes. */
export function RecordActions({ name, isOwn, isEdited, onChange, remove, consequence }: RecordActionsProps) {
  const [isConfirming, setConfirming] = useState(false);
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={onChange}>
        Edit
      </Button>
      {(isOwn || isEdited) && (
        <Button size="compact-sm" variant="default" c="var(--failed)" onClick={() => setConfirming(true)}>
          {isOwn ? 'Delete' : 'Undo changes'}
        </Button>
      )}
      {isConfirming && (
        <Confirm
          title={isOwn ? `Delete ${name}?` : `Undo changes to ${name}?`}
          label={isOwn ? 'Delete' : 'Undo'}
          action={remove}
          onClose={() => setConfirming(false)}
        >
          {consequence}
        </Confirm>
      )}
    </>
  );
}
