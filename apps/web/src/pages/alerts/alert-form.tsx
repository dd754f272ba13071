import { Button, Checkbox, Group, NativeSelect, NumberInput, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import {
  alertChannelsQuery,
  alertPreviewQuery,
  alertsKey,
  type Alert,
  type AlertKind,
  type NewAlert,
} from '../../api/alerts.js';
import { seenAgentsQuery } from '../../api/catalog-queries.js';
import { client, data, messageOf } from '../../api/client.js';
import { ActionForm } from '../../ui/action-form.js';
import { AGENT_TYPES } from '../../ui/agent-types.js';
import { required } from '../../ui/password.js';
import { Section } from '../../ui/section.js';
import { previewText, spanText, THRESHOLD_LABELS } from './alert-text.js';

const PREVIEW_DELAY_MS = 500;
const WINDOWS = [15, 30, 60, 120, 360, 720, 1_440];
const PERIODS = [0, 15, 30, 60, 120, 240, 720, 1_440, 2_880, 10_080];
const SCOPES = [
  { value: 'all', label: 'All agents' },
  { value: 'agent', label: 'One agent' },
  { value: 'type', label: 'One type' },
  { value: 'operator', label: 'One operator' },
];

const DESTINATIONS = [
  { value: 'all', label: 'All channels that are on' },
  { value: 'some', label: 'Chosen channels' },
];

interface Values extends Record<string, unknown> {
  kind: NewAlert['kind'];
  scope: string;
  agent: string;
  type: string;
  operator: string;
  threshold: number | string;
  minimum: number | string;
  window_minutes: string;
  cooldown_minutes: string;
  recovery_minutes: string;
  goes_to: 'all' | 'some';
  channel_ids: string[];
}

export interface AlertFormProps {
  projectId: string;
  kinds: readonly AlertKind[];
  /** The alert that is changed; null for a new one. */
  alert: Alert | null;
  onClose: () => void;
}

/** Adds or changes an alert, and says how often it would have fired. */
export function AlertForm({ projectId, kinds, alert, onClose }: AlertFormProps) {
  const queryClient = useQueryClient();
  const form = useForm<Values>({
    initialValues: alert === null ? newValues(kinds[1]!) : valuesOf(alert),
    validate: {
      agent: (agent, { scope }) => (scope === 'agent' && agent === '' ? 'Choose an agent.' : null),
      operator: (operator, { scope }) => (scope === 'operator' ? required('an operator')(operator) : null),
      channel_ids: (ids, { goes_to: goesTo }) =>
        goesTo === 'some' && ids.length === 0 ? 'Choose at least one channel.' : null,
    },
  });
  const kind = kinds.find((one) => one.kind === form.values.kind)!;
  const threshold = THRESHOLD_LABELS[kind.test];
  const body = bodyOf(form.values, kind);
  const submit = async (): Promise<void> => {
    const path = { id: projectId };
    if (alert === null) await data(client.POST('/api/projects/{id}/alerts', { params: { path }, body }));
    else {
      const { kind: _, ...change } = body;
      const params = { path: { ...path, alertId: alert.id } };
      await data(client.PATCH('/api/projects/{id}/alerts/{alertId}', { params, body: change }));
    }
    await queryClient.invalidateQueries({ queryKey: alertsKey(projectId) });
    onClose();
  };
  const choose = (chosen: string): void =>
    form.setValues({ ...newValues(kinds.find((one) => one.kind === chosen)!), scope: 'all' });
  return (
    <Section title={alert === null ? 'Add an alert' : `Change “${kind.label}”`}>
      <ActionForm
        form={form}
        action={submit}
        submit={alert === null ? 'Add alert' : 'Save alert'}
        aside={
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
        }
      >
        {alert === null && (
          <NativeSelect
            label="Kind"
            data={kinds.map((one) => ({ value: one.kind, label: one.label }))}
            value={form.values.kind}
            onChange={(event) => choose(event.currentTarget.value)}
          />
        )}
        <Text size="sm">{kind.sentence}</Text>
        {kind.is_scoped && <Scope form={form} />}
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          {threshold != null && (
            <NumberInput label={threshold} min={0} allowNegative={false} {...form.getInputProps('threshold')} />
          )}
          {kind.minimum_of !== null && (
            <NumberInput
              label={`Only with at least so many ${kind.minimum_of}`}
              min={0}
              allowNegative={false}
              allowDecimal={false}
              {...form.getInputProps('minimum')}
            />
          )}
          {kind.kind !== 'new_agent' && (
            <NativeSelect label="Window" data={periods(WINDOWS)} {...form.getInputProps('window_minutes')} />
          )}
          <NativeSelect label="Not again within" data={periods(PERIODS)} {...form.getInputProps('cooldown_minutes')} />
          {kind.kind !== 'new_agent' && (
            <NativeSelect label="Recovers after" data={periods(PERIODS)} {...form.getInputProps('recovery_minutes')} />
          )}
        </SimpleGrid>
        <Channels projectId={projectId} form={form} />
        <Preview projectId={projectId} body={body} />
      </ActionForm>
    </Section>
  );
}

/** What an alert is about alone. */
function Scope({ form }: { form: Pick<UseFormReturnType<Values>, 'values' | 'getInputProps'> }) {
  const { data: agents } = useQuery(seenAgentsQuery);
  const { scope, agent } = form.values;
  const named = (agents?.agents ?? []).toSorted((one, two) => one.agent_token!.localeCompare(two.agent_token!));
  // Until the list is there, the agent that was chosen is.
  const options = [
    { value: '', label: 'Choose an agent' },
    ...named.map(({ agent_id: value, agent_token: label }) => ({ value, label: label ?? value })),
  ];
  if (agent !== '' && !options.some(({ value }) => value === agent)) options.push({ value: agent, label: agent });
  return (
    <Group grow align="flex-start">
      <NativeSelect label="About" data={SCOPES} {...form.getInputProps('scope')} />
      {scope === 'agent' && <NativeSelect label="Agent" data={options} {...form.getInputProps('agent')} />}
      {scope === 'type' && <NativeSelect label="Type" data={AGENT_TYPES} {...form.getInputProps('type')} />}
      {scope === 'operator' && (
        <TextInput label="Operator" placeholder="OpenAI" maxLength={200} {...form.getInputProps('operator')} />
      )}
    </Group>
  );
}

/** Where it is sent to. */
function Channels({
  projectId,
  form,
}: {
  projectId: string;
  form: Pick<UseFormReturnType<Values>, 'values' | 'getInputProps'>;
}) {
  const { data } = useQuery(alertChannelsQuery(projectId));
  if (data === undefined || data.channels.length === 0) return null;
  return (
    <>
      <NativeSelect label="Sent to" data={DESTINATIONS} {...form.getInputProps('goes_to')} />
      {form.values.goes_to === 'some' && (
        <Checkbox.Group label="Channels" {...form.getInputProps('channel_ids')}>
          <Stack gap="xs" mt="xs">
            {data.channels.map(({ id, name }) => (
              <Checkbox key={id} value={id} label={name} />
            ))}
          </Stack>
        </Checkbox.Group>
      )}
    </>
  );
}

/** How often it would have fired. */
function Preview({ projectId, body }: { projectId: string; body: NewAlert }) {
  // Wherever it goes.
  const [settled] = useDebouncedValue(JSON.stringify({ ...body, channel_ids: null }), PREVIEW_DELAY_MS);
  const preview = useQuery(alertPreviewQuery(projectId, JSON.parse(settled) as NewAlert));
  const queryClient = useQueryClient();
  useEffect(
    () => () => void queryClient.cancelQueries({ queryKey: [...alertsKey(projectId), 'preview'] }),
    [queryClient, projectId],
  );
  const text = preview.isError
    ? `There is no preview. ${messageOf(preview.error)}`
    : preview.data === undefined
      ? 'Looking at the last 30 days …'
      : previewText(preview.data.events.length, 30);
  return (
    <div>
      <Text size="sm" fw={500} role="status">
        {text}
      </Text>
      {preview.data?.events.slice(0, 3).map((event) => (
        <Text key={`${event.fired_at} ${event.subject}`} size="xs" c="dimmed">
          {event.fired_at.slice(0, 16).replace('T', ' ')} UTC: {event.text}
        </Text>
      ))}
    </div>
  );
}

const periods = (minutes: readonly number[]) => minutes.map((each) => ({ value: String(each), label: spanText(each) }));

const newValues = ({ kind, defaults }: AlertKind): Values => ({
  kind,
  scope: 'all',
  agent: '',
  type: AGENT_TYPES[0]!,
  operator: '',
  threshold: defaults.threshold,
  minimum: defaults.minimum,
  window_minutes: String(defaults.window_minutes),
  cooldown_minutes: String(defaults.cooldown_minutes),
  recovery_minutes: String(defaults.recovery_minutes),
  goes_to: 'all',
  channel_ids: [],
});

function scopeOf({ agent_id: agent, agent_type: type, operator }: Alert): string {
  if (agent !== null) return 'agent';
  if (type !== null) return 'type';
  return operator === null ? 'all' : 'operator';
}

const valuesOf = (alert: Alert): Values => ({
  kind: alert.kind,
  scope: scopeOf(alert),
  agent: alert.agent_id ?? '',
  type: alert.agent_type ?? AGENT_TYPES[0]!,
  operator: alert.operator ?? '',
  threshold: alert.threshold,
  minimum: alert.minimum,
  window_minutes: String(alert.window_minutes),
  cooldown_minutes: String(alert.cooldown_minutes),
  recovery_minutes: String(alert.recovery_minutes),
  goes_to: alert.channel_ids === null ? 'all' : 'some',
  channel_ids: alert.channel_ids ?? [],
});

function bodyOf(values: Values, { is_scoped: isScoped }: AlertKind): NewAlert {
  const scope = isScoped ? values.scope : 'all';
  return {
    kind: values.kind,
    agent_id: scope === 'agent' && values.agent !== '' ? values.agent : null,
    agent_type: scope === 'type' ? (values.type as NonNullable<NewAlert['agent_type']>) : null,
    operator: scope === 'operator' && values.operator.trim() !== '' ? values.operator.trim() : null,
    threshold: Number(values.threshold),
    minimum: Number(values.minimum),
    window_minutes: Number(values.window_minutes) as NonNullable<NewAlert['window_minutes']>,
    cooldown_minutes: Number(values.cooldown_minutes),
    recovery_minutes: Number(values.recovery_minutes),
    channel_ids: values.goes_to === 'some' && values.channel_ids.length > 0 ? values.channel_ids : null,
  };
}
