import { Modal, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { client, data } from '../api/client.js';
import { savedFiltersQuery, type SavedFilter } from '../api/saved-filters.js';
import { ActionForm } from '../ui/action-form.js';
import { required } from '../ui/password.js';
import { useReturnFocus } from '../ui/use-return-focus.js';

export interface FilterNameDialogProps {
  projectId: string;
  /** Filters to save, or a saved filter to rename. */
  filters: Pick<SavedFilter, 'page' | 'search'> | SavedFilter;
  onClose: () => void;
}

export default function FilterNameDialog({ projectId, filters, onClose }: FilterNameDialogProps) {
  useReturnFocus();
  const queryClient = useQueryClient();
  const isSaved = 'id' in filters;
  const form = useForm({
    initialValues: { name: isSaved ? filters.name : '' },
    validate: { name: required('a name') },
  });
  const save = async (values: { name: string }): Promise<void> => {
    const name = values.name.trim();
    const { page, search } = filters;
    await (isSaved
      ? data(
          client.PATCH('/api/projects/{id}/saved-filters/{filterId}', {
            params: { path: { id: projectId, filterId: filters.id } },
            body: { name },
          }),
        )
      : data(
          client.POST('/api/projects/{id}/saved-filters', {
            params: { path: { id: projectId } },
            body: { name, page, search },
          }),
        ));
    await queryClient.invalidateQueries(savedFiltersQuery(projectId));
    onClose();
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={isSaved ? `Rename “${filters.name}”` : 'Save these filters'}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <ActionForm form={form} action={save} submit={isSaved ? 'Rename' : 'Save filters'}>
        <TextInput
          label="Name"
          description={isSaved ? undefined : 'Everyone in this project can see and use them.'}
          placeholder="GPTBot errors"
          maxLength={200}
          data-autofocus
          {...form.getInputProps('name')}
        />
      </ActionForm>
    </Modal>
  );
}
