import { Checkbox, List, Loader, PasswordInput, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core';
import '@mantine/core/styles/Switch.css';
import { useForm } from '@mantine/form';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, type ReactNode } from 'react';
import type { Versioned } from '../api/client.js';
import { recordReplacement } from '../api/if-match.js';
import { Failure } from '../ui/failure.js';
import { Remountable, useRemount } from '../ui/remount.js';
import { SavedForm } from '../ui/saved-form.js';
import { drainSettingsQuery, useUpdateDrainSettings, type DrainSettings } from './queries.js';
import {
  toDrainSettingsChange,
  toDrainFields,
  MAPPED_FIELDS,
  validateMapping,
  type DrainField,
} from './settings-fields.js';

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
    initialValues: toDrainFields(settings),
    validate: { mapping: (text) => (fields.includes('mapping') ? validateMapping(text) : null) },
  });
  const updateSettings = useUpdateDrainSettings(projectId);
  const queryClient = useQueryClient();
  const remount = useRemount();
  const loadedSettings = useRef(settings);
  const inputs: Record<DrainField, ReactNode> = {
    leaves_out_static_files: (
      <Switch
        label="Skip static files"
        description="Requests for images, fonts, styles, scripts and media are counted, but not recorded as visits. robots.txt, llms.txt, sitemaps, feeds and /.well-known/ are always recorded."
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
          label="Vercel signature secret"
          description={
            settings.has_vercel_secret
              ? 'A secret is set, so requests that aren’t signed with it are rejected. Enter a new secret to replace it.'
              : 'Copy it from the drain’s settings in Vercel. Without it, only the access token authenticates the sender.'
          }
          autoComplete="off"
          readOnly={isReader}
          disabled={form.values.removes_vercel_secret}
          {...form.getInputProps('vercel_secret')}
        />
        {settings.has_vercel_secret && !isReader && (
          <Checkbox
            mt="xs"
            label="Remove secret"
            {...form.getInputProps('removes_vercel_secret', { type: 'checkbox' })}
          />
        )}
      </>
    ),
    vercel_verify: (
      <TextInput
        label="Vercel verification code"
        description="If Vercel asks for an x-vercel-verify header, enter the value it shows. Save it before you add the drain."
        readOnly={isReader}
        {...form.getInputProps('vercel_verify')}
      />
    ),
    fastly_service_ids: (
      <Textarea
        label="Fastly service IDs"
        description="One per line. Before a service can send logs, Fastly requests /.well-known/fastly/logging/challenge on this host. The response confirms only these services."
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
          description="One field=key pair per line. Use dots for nested keys. If empty, log lines must be in a known format."
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
      saved="Saved. Changes apply within 5 seconds."
      save={async (values) => {
        loadedSettings.current = await updateSettings(
          toDrainSettingsChange(values, fields),
          loadedSettings.current.etag,
        );
        return toDrainFields(loadedSettings.current);
      }}
      shared={{
        base: loadedSettings.current,
        adopt: (current) => {
          const { etag } = current as unknown as Versioned<DrainSettings>;
          // The user has now seen the other user's changes. Other forms on the page may still have the old version, so
          // let them save on top of the new one without another conflict.
          recordReplacement(loadedSettings.current.etag, etag);
          loadedSettings.current = current as unknown as Versioned<DrainSettings>;
          queryClient.setQueryData(drainSettingsQuery(projectId).queryKey, loadedSettings.current);
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
