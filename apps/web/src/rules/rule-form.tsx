import { Button, Checkbox, Group, NativeSelect, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { Project } from '../api/client.js';
import type { PolicyRule } from '../api/policy.js';
import { ActionForm } from '../ui/action-form.js';
import { ActionFields, ConditionFields } from './condition-fields.js';
import {
  createException,
  toRule,
  toRuleValues,
  validateException,
  validateRule,
  type RuleValues,
} from './rule-values.js';
import { RuleForecast, ruleForecastQuery } from './rule-forecast.js';
import classes from './rule-form.module.css';
import { describeRule } from './rule-text.js';

const MAX_EXCEPTIONS = 20;
const MODES = [
  { value: 'dry_run', label: 'Dry run: count requests, but change nothing' },
  { value: 'live', label: 'Live' },
  { value: 'off', label: 'Off' },
];

/** Values that a short form starts with. */
const EXCEPTION = { mode: 'live', kind: 'refuse' } as const;

const FORECAST_DELAY_MS = 400;

interface RuleFormProps {
  project: Project;
  /** Rule to edit, or null for a new one. */
  rule: PolicyRule | null;
  /** True to start with a confirmation that the rule goes live, without fields. */
  isGoingLive: boolean;
  /** True to start with only an agent and an action. */
  isException: boolean;
  /** Suggested agents. */
  agentTokens: readonly string[];
  /** Label of the button. */
  submit: string;
  /** Returns all rules, with the one as entered. */
  place: (rule: PolicyRule) => PolicyRule[];
  onSave: (rule: PolicyRule) => Promise<void>;
  /** Undefined for a new rule. */
  onDelete: (() => void) | undefined;
  isDeleting: boolean;
  onClose: () => void;
}

export function RuleForm(props: RuleFormProps) {
  const { project, rule, isGoingLive, isException, agentTokens, submit, place, onSave, onDelete, isDeleting, onClose } =
    props;
  const [isShort, setShort] = useState(isException);
  const [isConfirming, setConfirming] = useState(isGoingLive);
  const form = useForm<RuleValues>({
    initialValues: { ...toRuleValues(rule), ...(isException && EXCEPTION), ...(isGoingLive && { mode: 'live' }) },
    validate: (values) => (isShort ? validateException(values) : validateRule(values)),
  });
  const [values] = useDebouncedValue(form.values, FORECAST_DELAY_MS);
  const { exceptions } = form.values;
  const entered = toCompleteRule(values, isShort);
  const { isFetching } = useQuery(ruleForecastQuery(project.id, entered, place));
  // The forecast must be seen before the rule can be saved.
  const isPreviewing = isFetching || values !== form.values;
  const listId = useId();
  return (
    <div className={classes['form']}>
      <ActionForm
        form={form}
        action={(final) => onSave(toRule(isShort ? { ...final, name: final.agent_tokens } : final))}
        submit={submit}
        aside={
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
        }
        disabled={isPreviewing}
      >
        {isConfirming && rule !== null ? (
          <>
            <Text size="sm">{describeRule(rule)}</Text>
            <Group>
              <Button size="compact-sm" variant="default" onClick={() => setConfirming(false)}>
                Edit first
              </Button>
            </Group>
          </>
        ) : isShort ? (
          <>
            <Text size="sm" c="dimmed">
              Applies before the rules for types.
            </Text>
            <TextInput
              label="Agent"
              placeholder="GPTBot"
              list={listId}
              autoComplete="off"
              spellCheck={false}
              data-autofocus
              {...form.getInputProps('agent_tokens')}
            />
            <datalist id={listId}>
              {agentTokens.map((token) => (
                <option key={token} value={token} />
              ))}
            </datalist>
            <ActionFields form={form} values={form.values} prefix="" />
          </>
        ) : (
          <>
            <TextInput label="Name" maxLength={100} data-autofocus {...form.getInputProps('name')} />
            <ActionFields form={form} values={form.values} prefix="" />
          </>
        )}
        {!isConfirming && <NativeSelect label="Mode" data={MODES} {...form.getInputProps('mode')} />}
        {!isConfirming && !isShort && (
          <ConditionFields form={form} values={form.values} prefix="" agentTokens={agentTokens} />
        )}
        {isConfirming ? null : isShort ? (
          <Group>
            <Button size="compact-sm" variant="default" onClick={() => setShort(false)}>
              More conditions
            </Button>
          </Group>
        ) : (
          <>
            <Checkbox
              label="Keep enforcing while the instance can’t be reached"
              description="Only for clients that decide locally. Others let everyone through."
              {...form.getInputProps('enforces_when_unreachable', { type: 'checkbox' })}
            />
            {exceptions.map((exception, index) => (
              <fieldset key={exception.id}>
                <legend>Exception {index + 1}</legend>
                <ActionFields form={form} values={exception} prefix={`exceptions.${index}.`} />
                <ConditionFields
                  form={form}
                  values={exception}
                  prefix={`exceptions.${index}.`}
                  agentTokens={agentTokens}
                />
                <Group mt="sm">
                  <Button size="compact-sm" variant="default" onClick={() => form.removeListItem('exceptions', index)}>
                    Remove exception {index + 1}
                  </Button>
                </Group>
              </fieldset>
            ))}
            <Group>
              <Button
                size="compact-sm"
                variant="default"
                disabled={exceptions.length >= MAX_EXCEPTIONS}
                onClick={() => form.insertListItem('exceptions', createException())}
              >
                Add exception
              </Button>
              {onDelete !== undefined && (
                <Button
                  size="compact-sm"
                  variant="subtle"
                  color="red"
                  ml="auto"
                  loading={isDeleting}
                  onClick={onDelete}
                >
                  Delete rule
                </Button>
              )}
            </Group>
          </>
        )}
        <RuleForecast project={project} rule={entered} before={rule} place={place} />
      </ActionForm>
    </div>
  );
}

/** Returns the rule as entered, or null if something other than its name is missing. */
function toCompleteRule(values: RuleValues, isShort: boolean): PolicyRule | null {
  const named = { ...values, name: values.name || 'Rule' };
  const errors = isShort ? validateException(named) : validateRule(named);
  return Object.keys(errors).length === 0 ? toRule(named) : null;
}
