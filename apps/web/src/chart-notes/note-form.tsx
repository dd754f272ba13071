import { Modal, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { chartNotesKey, type ChartNote } from '../api/chart-notes.js';
import { client, data } from '../api/client.js';
import { DayInput } from '../range/day-input.js';
import { ActionForm } from '../ui/action-form.js';
import { required } from '../ui/password.js';
import { useReturnFocus } from '../ui/use-return-focus.js';

const MAX_NOTE_LENGTH = 200;

export interface NoteFormProps {
  projectId: string;
  /** Time zone that determines when each day starts. */
  projectZone: string;
  /** Note to edit, or the initial day for a new one. */
  note: ChartNote | { day: string };
  onClose: () => void;
}

export default function NoteForm({ projectId, projectZone, note, onClose }: NoteFormProps) {
  useReturnFocus();
  const queryClient = useQueryClient();
  const isExisting = 'id' in note;
  const form = useForm({
    initialValues: { day: note.day, text: isExisting ? note.text : '' },
    validate: { day: required('a day'), text: required('a note') },
  });
  const save = async ({ day, text }: { day: string; text: string }): Promise<void> => {
    const body = { day, text: text.trim() };
    await (isExisting
      ? data(
          client.PATCH('/api/projects/{id}/chart-notes/{noteId}', {
            params: { path: { id: projectId, noteId: note.id } },
            body,
          }),
        )
      : data(client.POST('/api/projects/{id}/chart-notes', { params: { path: { id: projectId } }, body })));
    await queryClient.invalidateQueries({ queryKey: chartNotesKey(projectId) });
    onClose();
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={isExisting ? 'Edit note' : 'Add note'}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <ActionForm form={form} action={save} submit={isExisting ? 'Save note' : 'Add note'}>
        <TextInput
          label="Note"
          description="Everyone in this project sees it on the charts."
          placeholder="New robots.txt"
          maxLength={MAX_NOTE_LENGTH}
          data-autofocus
          {...form.getInputProps('text')}
        />
        <DayInput label="Day" description={`Time zone: ${projectZone}.`} {...form.getInputProps('day')} />
      </ActionForm>
    </Modal>
  );
}
