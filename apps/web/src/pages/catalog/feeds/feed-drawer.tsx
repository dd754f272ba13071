import { Button, Checkbox, FileButton, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { client, data } from '../../../api/client.js';
import { ActionForm } from '../../../ui/action-form.js';
import { required } from '../../../ui/password.js';
import { SideDrawer } from '../../../ui/side-drawer.js';

interface FeedFields extends Record<string, unknown> {
  name: string;
  url: string;
  document: File | null;
  public_key: string;
  accepts_all: boolean;
}

/** Initial values for a new feed. */
export interface FeedPreset {
  name: string;
  url: string;
}

export default function FeedDrawer({ preset, onClose }: { preset: FeedPreset | undefined; onClose: () => void }) {
  const queryClient = useQueryClient();
  const form = useForm<FeedFields>({
    initialValues: {
      name: preset?.name ?? '',
      url: preset?.url ?? '',
      document: null,
      public_key: '',
      accepts_all: false,
    },
    validate: {
      name: required('a name'),
      url: (url, { document }) =>
        (url.trim() === '') === (document === null) ? 'Enter a URL or choose a file, but not both.' : null,
    },
  });
  const save = async ({ name, url, document, public_key: key, accepts_all: all }: FeedFields): Promise<void> => {
    const body = {
      name: name.trim(),
      ...(document === null ? { url: url.trim() } : { document: await document.text() }),
      ...(key.trim() !== '' && { public_key: key.trim() }),
      accepts_all: all,
    };
    await data(client.POST('/api/agent-feeds', { body }));
    await queryClient.invalidateQueries({ queryKey: ['catalog'] });
    onClose();
  };
  return (
    <SideDrawer title="Add feed" onClose={onClose}>
      <ActionForm form={form} action={save} submit="Add feed">
        <TextInput label="Name" maxLength={200} {...form.getInputProps('name')} />
        <TextInput
          label="URL"
          description="An https URL, which is fetched once a day."
          placeholder="https://"
          type="url"
          {...form.getInputProps('url')}
        />
        <div>
          <FileButton
            accept="application/json,.json"
            inputProps={{ 'aria-label': 'File' }}
            onChange={(file) => form.setFieldValue('document', file)}
          >
            {(props) => (
              <Button size="xs" variant="default" {...props}>
                Choose a file instead
              </Button>
            )}
          </FileButton>{' '}
          <Text span size="sm" role="status">
            {form.values.document?.name ?? 'JSON, up to 4.5 MB. It’s only updated when you upload it again.'}
          </Text>
          {form.values.document !== null && (
            <Button size="compact-xs" variant="subtle" onClick={() => form.setFieldValue('document', null)}>
              Remove file
            </Button>
          )}
        </div>
        <Textarea
          label="Public key"
          description="Optional Ed25519 key in PEM format. If set, the feed must be signed with it."
          placeholder="-----BEGIN PUBLIC KEY-----"
          autosize
          minRows={3}
          spellCheck={false}
          {...form.getInputProps('public_key')}
        />
        <Checkbox
          label="Accept all proposed agents, now and in the future"
          description="For lists that you trust. Agents that match people’s browsers are still rejected."
          {...form.getInputProps('accepts_all', { type: 'checkbox' })}
        />
      </ActionForm>
    </SideDrawer>
  );
}
