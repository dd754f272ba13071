import { Button, Checkbox, NativeSelect, NumberInput, Stack, Text } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { alertChannelsQuery, alertsKey, type Alert, type AlertKind } from '../../api/alerts.js';
import { seenAgentsQuery, type SeenAgent } from '../../api/catalog-queries.js';
import { client, data, type Project } from '../../api/client.js';
import { Columns } from '../../ui/columns.js';
import { ActionForm } from '../../ui/action-form.js';
import { AGENT_TYPES } from '../../ui/agent-types.js';
import { useReturnFocus } from '../../ui/use-return-focus.js';
import { Segments } from '../../ui/segments.js';
import { Disclosure } from '../../ui/disclosure.js';
import { Section } from '../../ui/section.js';
import { TextLink } from '../../ui/text-link.js';
import { AlertPreview } from './alert-preview.js';
import { getAlertName, KIND_PHRASES, THRESHOLD_LABELS } from './alert-text.js';
import {
  alertValidators,
  toAlertBody,
  getMissingInput,
  createDefaultValues,
  toPeriodOptions,
  toAlertValues,
  type AlertValues,
} from './alert-values.js';
import classes from './alert-form.module.css';

const WINDOWS_MINUTES = [15, 30, 60, 120, 360, 720, 1_440];
const PERIODS_MINUTES = [0, 15, 30, 60, 120, 240, 720, 1_440, 2_880, 10_080];
const KIND_OPTIONS = Object.entries(KIND_PHRASES).map(([value, phrase]) => ({ value, label: phrase }));

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
  useEffect(() => fields.current?.querySelector<HTMLElement>('select:enabled, input')?.focus(), []);
  const queryClient = useQueryClient();
  const form = useForm<AlertValues>({
    initialValues:
      alert === null ? createDefaultValues(kinds.find((one) => one.kind === 'spoofing')!) : toAlertValues(alert),
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
    <Section title={isNew ? 'New alert' : `Edit “${getAlertName(kind, alert)}”`}>
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
          <div className={classes['sentence']}>
            <span aria-hidden="true">Tell me when</span>
            <NativeSelect
              aria-label="Tell me when"
              data={KIND_OPTIONS}
              disabled={!isNew}
              value={form.values.kind}
              onChange={(event) => changeKind(event.currentTarget.value)}
            />
            {kind.scoped_label !== null && <Scope form={form} />}
          </div>
          {kind.sensitivities !== null && (
            <Sensitivity
              settings={kind.sensitivities}
              values={form.values}
              onChange={(settings) => form.setValues(settings)}
            />
          )}
          <AlertPreview project={project} kind={kind} body={body} lacking={getMissingInput(form.values)} />
          <Channels projectId={project.id} form={form} />
          <Disclosure
            label="More options"
            isForcedOpen={form.errors['threshold'] != null || form.errors['minimum'] != null}
          >
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
          </Disclosure>
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

/** Selects all agents, or one agent, type or operator. */
function Scope({ form }: { form: Pick<UseFormReturnType<AlertValues>, 'values' | 'getInputProps'> }) {
  const { data } = useQuery(seenAgentsQuery);
  const agents = data?.agents ?? [];
  const toItems = (seen: readonly SeenAgent[]) =>
    seen
      .map(({ agent_id: id, agent_token: token }) => ({ value: `agent:${id}`, label: token }))
      .toSorted((one, other) => one.label.localeCompare(other.label));
  const operators = [...new Set(agents.map(({ operator_name: name }) => name).filter((name) => name !== null))];
  const groups = [
    { group: 'Agents that visited', items: toItems(agents.filter(({ visits }) => visits > 0)) },
    { group: 'Types', items: AGENT_TYPES.map((type) => ({ value: `type:${type}`, label: type })) },
    { group: 'Operators', items: operators.toSorted().map((name) => ({ value: `operator:${name}`, label: name })) },
    { group: 'Other agents', items: toItems(agents.filter(({ visits }) => visits === 0)) },
  ].filter(({ items }) => items.length > 0);
  // Always include the selected item, which the lists may not contain, for example while they load.
  const { scope } = form.values;
  const isListed = scope === 'all' || groups.some(({ items }) => items.some(({ value }) => value === scope));
  const current = isListed ? [] : [{ value: scope, label: scope.slice(scope.indexOf(':') + 1) }];
  return (
    <NativeSelect
      aria-label="Agent"
      data={[{ value: 'all', label: 'any agent' }, ...current, ...groups]}
      {...form.getInputProps('scope')}
    />
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
  if (data === undefined) return null;
  if (data.channels.length === 0) {
    return (
      <Text size="sm">
        This alert will only appear under the bell.{' '}
        <TextLink to="/projects/$projectId/settings" params={{ projectId }} search={{ tab: 'alerts' }}>
          Add email or webhook
        </TextLink>
      </Text>
    );
  }
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
