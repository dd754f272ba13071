import { Button, Checkbox, Group, NativeSelect, NumberInput, Stack, Text, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { alertChannelsQuery, alertsKey, type Alert, type AlertKind } from '../../api/alerts.js';
import { seenAgentsQuery } from '../../api/catalog-queries.js';
import { client, data, type Project } from '../../api/client.js';
import { Columns } from '../../ui/columns.js';
import { ActionForm } from '../../ui/action-form.js';
import { AGENT_TYPES } from '../../ui/agent-types.js';
import { useReturnFocus } from '../../ui/use-return-focus.js';
import { Segments } from '../../ui/segments.js';
import { Section } from '../../ui/section.js';
import { AlertPreview } from './alert-preview.js';
import { THRESHOLD_LABELS } from './alert-text.js';
import {
  alertValidators,
  toAlertBody,
  getMissingInput,
  createDefaultValues,
  toPeriodOptions,
  toAlertValues,
  type AlertValues,
} from './alert-values.js';

const WINDOWS_MINUTES = [15, 30, 60, 120, 360, 720, 1_440];
const PERIODS_MINUTES = [0, 15, 30, 60, 120, 240, 720, 1_440, 2_880, 10_080];
const SCOPE_OPTIONS = [
  { value: 'all', label: 'All agents' },
  { value: 'agent', label: 'One agent' },
  { value: 'type', label: 'One type' },
  { value: 'operator', label: 'One operator' },
];

const DESTINATION_OPTIONS = [
  { value: 'all', label: 'All enabled channels' },
  { value: 'some', label: 'Selected channels' },
];

interface AlertFormProps {
  project: Project;
  kinds: readonly AlertKind[];
  /** Alert to edit or copy, or null for a new one. */
  alert: Alert | null;
  isCopy: boolean;
  onClose: () => void;
}

export function AlertForm({ project, kinds, alert, isCopy, onClose }: AlertFormProps) {
  useReturnFocus();
  const fields = useRef<HTMLDivElement>(null);
  useEffect(() => fields.current?.querySelector<HTMLElement>('select, input')?.focus(), []);
  const queryClient = useQueryClient();
  const form = useForm<AlertValues>({
    initialValues: alert === null ? createDefaultValues(kinds[1]!) : toAlertValues(alert),
    validate: alertValidators,
  });
  const kind = kinds.find((one) => one.kind === form.values.kind)!;
  const isNew = alert === null || isCopy;
  const threshold = THRESHOLD_LABELS[kind.test];
  const body = toAlertBody(form.values, kind);
  const submit = async (): Promise<void> => {
    const path = { id: project.id };
    if (isNew) await data(client.POST('/api/projects/{id}/alerts', { params: { path }, body }));
    else {
      const { kind: _, ...change } = body;
      const params = { path: { ...path, alertId: alert.id } };
      await data(client.PATCH('/api/projects/{id}/alerts/{alertId}', { params, body: change }));
    }
    await queryClient.invalidateQueries({ queryKey: alertsKey(project.id) });
    onClose();
  };
  const changeKind = (chosen: string): void => {
    const { goes_to, channel_ids } = form.values;
    form.setValues({ ...createDefaultValues(kinds.find((one) => one.kind === chosen)!), goes_to, channel_ids });
  };
  return (
    <Section title={isNew ? 'Add alert' : `Edit “${kind.label}”`}>
      <div ref={fields}>
        <ActionForm
          form={form}
          action={submit}
          submit={isNew ? 'Add alert' : 'Save alert'}
          aside={
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
          }
        >
          {isNew && (
            <NativeSelect
              label="Kind"
              data={kinds.map((one) => ({ value: one.kind, label: one.label }))}
              value={form.values.kind}
              onChange={(event) => changeKind(event.currentTarget.value)}
            />
          )}
          <Text size="sm">{kind.sentence}</Text>
          {kind.is_scoped && <Scope form={form} />}
          {kind.sensitivities !== null && (
            <Sensitivity
              settings={kind.sensitivities}
              values={form.values}
              onChange={(settings) => form.setValues(settings)}
            />
          )}
          <Columns cols={{ base: 1, xs: 2 }}>
            {threshold != null && (
              <NumberInput label={threshold} min={0} allowNegative={false} {...form.getInputProps('threshold')} />
            )}
            {kind.minimum_of !== null && (
              <NumberInput
                label={`Minimum ${kind.minimum_of}`}
                min={0}
                allowNegative={false}
                allowDecimal={false}
                {...form.getInputProps('minimum')}
              />
            )}
            {kind.kind !== 'new_agent' && (
              <NativeSelect
                label="Window"
                data={toPeriodOptions(WINDOWS_MINUTES, form.values.window_minutes)}
                {...form.getInputProps('window_minutes')}
              />
            )}
            <NativeSelect
              label="Cool-down"
              data={toPeriodOptions(PERIODS_MINUTES, form.values.cooldown_minutes, 'none')}
              {...form.getInputProps('cooldown_minutes')}
            />
            {kind.kind !== 'new_agent' && (
              <NativeSelect
                label="Recovers after"
                data={toPeriodOptions(PERIODS_MINUTES, form.values.recovery_minutes, 'no delay')}
                {...form.getInputProps('recovery_minutes')}
              />
            )}
          </Columns>
          <Channels projectId={project.id} form={form} />
          <AlertPreview project={project} body={body} lacking={getMissingInput(form.values)} />
        </ActionForm>
      </div>
    </Section>
  );
}

const SENSITIVITY_OPTIONS = [
  { value: 'low', label: 'Low' },
  { value: 'medium', label: 'Medium' },
  { value: 'high', label: 'High' },
] as const;

interface SensitivityProps {
  settings: NonNullable<AlertKind['sensitivities']>;
  values: Pick<AlertValues, 'threshold' | 'minimum'>;
  onChange: (settings: { threshold: number; minimum: number }) => void;
}

/** Chooses the threshold and the minimum together. No option is selected if they were set to other numbers. */
function Sensitivity({ settings, values, onChange }: SensitivityProps) {
  const current = SENSITIVITY_OPTIONS.find(
    ({ value }) =>
      settings[value].threshold === Number(values.threshold) && settings[value].minimum === Number(values.minimum),
  );
  return (
    <div>
      <Text size="sm" fw={500} mb={4} aria-hidden="true">
        Sensitivity
      </Text>
      <Segments
        label="Sensitivity"
        options={SENSITIVITY_OPTIONS}
        value={current?.value ?? ''}
        onChange={(chosen) => onChange(settings[chosen])}
      />
    </div>
  );
}

function Scope({ form }: { form: Pick<UseFormReturnType<AlertValues>, 'values' | 'getInputProps'> }) {
  const { data: agents } = useQuery(seenAgentsQuery);
  const { scope, agent } = form.values;
  const sortedAgents = (agents?.agents ?? []).toSorted((one, two) => one.agent_token!.localeCompare(two.agent_token!));
  // Always include the selected agent, which the list may not contain, for example while it loads.
  const options = [
    { value: '', label: 'Choose an agent' },
    ...sortedAgents.map(({ agent_id: value, agent_token: label }) => ({ value, label: label ?? value })),
  ];
  if (agent !== '' && !options.some(({ value }) => value === agent)) options.push({ value: agent, label: agent });
  return (
    <Group grow align="flex-start">
      <NativeSelect label="Applies to" data={SCOPE_OPTIONS} {...form.getInputProps('scope')} />
      {scope === 'agent' && <NativeSelect label="Agent" data={options} {...form.getInputProps('agent')} />}
      {scope === 'type' && <NativeSelect label="Type" data={AGENT_TYPES} {...form.getInputProps('type')} />}
      {scope === 'operator' && (
        <TextInput label="Operator" placeholder="OpenAI" maxLength={200} {...form.getInputProps('operator')} />
      )}
    </Group>
  );
}

function Channels({
  projectId,
  form,
}: {
  projectId: string;
  form: Pick<UseFormReturnType<AlertValues>, 'values' | 'getInputProps'>;
}) {
  const { data } = useQuery(alertChannelsQuery(projectId));
  if (data === undefined || data.channels.length === 0) return null;
  return (
    <>
      <NativeSelect label="Send to" data={DESTINATION_OPTIONS} {...form.getInputProps('goes_to')} />
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
