import { Checkbox, List, Loader, PasswordInput, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, type ReactNode } from 'react';
import type { Versioned } from '../api/client.js';
import { rememberOwn } from '../api/if-match.js';
import { Failure } from '../ui/failure.js';
import { Remountable, useRemount } from '../ui/remount.js';
import { SavedForm } from '../ui/saved-form.js';
import { drainSettingsQuery, useDrainSettingsChange, type DrainSettings } from './queries.js';
import { changeOf, fieldsOf, MAPPED_FIELDS, mappingFault, type DrainField } from './settings-fields.js';

interface DrainSettingsFormProps {
  projectId: string;
  isReader: boolean;
  fields: readonly DrainField[];
}

export function DrainSettingsForm(props: DrainSettingsFormProps) {
  const settings = useQuery(drainSettingsQuery(props.projectId));
  if (settings.isError) return <Failure error={settings.error} retry={() => void settings.refetch()} />;
  if (settings.isPending) return <Loader size="sm" />;
  return (
    <Remountable>
      <Fields {...props} settings={settings.data} />
    </Remountable>
  );
}

function Fields({
  projectId,
  isReader,
  fields,
  settings,
}: DrainSettingsFormProps & { settings: Versioned<DrainSettings> }) {
  const form = useForm({
    initialValues: fieldsOf(settings),
    validate: { mapping: (text) => (fields.includes('mapping') ? mappingFault(text) : null) },
  });
  const change = useDrainSettingsChange(projectId);
  const queryClient = useQueryClient();
  const remount = useRemount();
  const base = useRef(settings);
  const inputs: Record<DrainField, ReactNode> = {
    leaves_out_static_files: (
      <Switch
        label="Leave out static files"
        description="Images, fonts, styles, scripts and media are counted, but not recorded as visits. robots.txt, llms.txt, sitemaps, feeds and /.well-known/ are always recorded."
        disabled={isReader}
        {...form.getInputProps('leaves_out_static_files', { type: 'checkbox' })}
      />
    ),
    allows_token_in_url: (
      <Switch
        label="Allow the access token in the URL"
        description="For senders that can’t set a header, such as Netlify. Agent Traffic never logs the token, but proxies in front of it may."
        disabled={isReader}
        {...form.getInputProps('allows_token_in_url', { type: 'checkbox' })}
      />
    ),
    vercel_secret: (
      <>
        <PasswordInput
          label="Vercel’s signature secret"
          description={
            settings.has_vercel_secret
              ? 'A secret is set: what isn’t signed with it is refused. Enter another one to replace it.'
              : 'As Vercel shows it for the drain. Without it, only the access token shows that Vercel is the sender.'
          }
          autoComplete="off"
          readOnly={isReader}
          disabled={form.values.removes_vercel_secret}
          {...form.getInputProps('vercel_secret')}
        />
        {settings.has_vercel_secret && !isReader && (
          <Checkbox
            mt="xs"
            label="Remove the secret"
            {...form.getInputProps('removes_vercel_secret', { type: 'checkbox' })}
          />
        )}
      </>
    ),
    vercel_verify: (
      <TextInput
        label="Vercel’s verification code"
        description="If Vercel asks the endpoint to return x-vercel-verify, enter the value it shows. Save it before you add the drain."
        readOnly={isReader}
        {...form.getInputProps('vercel_verify')}
      />
    ),
    fastly_service_ids: (
      <Textarea
        label="IDs of Fastly services"
        description="One per line. Before a service can send logs, Fastly requests /.well-known/fastly/logging/challenge on this host; only these services are confirmed."
        placeholder="4hXq2TnV7cLr0sWy8ZkE1p"
        rows={2}
        readOnly={isReader}
        {...form.getInputProps('fastly_service_ids')}
      />
    ),
    mapping: (
      <Stack gap={6}>
        <Textarea
          label="Mapping"
          description="field=key, one per line. A dot leads into an object. If empty, lines must be in a known format."
          placeholder={'time=ts\nclient=ip\npath=request.uri\nuser_agent=ua'}
          autosize
          minRows={4}
          maxRows={16}
          readOnly={isReader}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          {...form.getInputProps('mapping')}
        />
        <details>
          <Text component="summary" size="sm">
            Fields
          </Text>
          <List size="sm" mt={4}>
            {Object.entries(MAPPED_FIELDS).map(([field, meaning]) => (
              <List.Item key={field}>
                <b>{field}</b>: {meaning}
              </List.Item>
            ))}
          </List>
        </details>
      </Stack>
    ),
  };
  return (
    <SavedForm
      form={form}
      isReader={isReader}
      saved="Saved. Applies within 5 seconds."
      save={async (values) => {
        base.current = await change(changeOf(values, fields), base.current.etag);
        return fieldsOf(base.current);
      }}
      shared={{
        base: base.current,
        adopt: (current) => {
          const { etag } = current as unknown as Versioned<DrainSettings>;
          // Other forms on the page are based on the same version. The conflict was shown, so they can be saved without
          // showing it again.
          rememberOwn(base.current.etag, etag);
          base.current = current as unknown as Versioned<DrainSettings>;
          queryClient.setQueryData(drainSettingsQuery(projectId).queryKey, base.current);
        },
        reload: remount,
      }}
    >
      <Stack gap="sm">
        {fields.map((field) => (
          <div key={field}>{inputs[field]}</div>
        ))}
      </Stack>
    </SavedForm>
  );
}
