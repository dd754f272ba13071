import { Button, Checkbox, Group, NativeSelect, SimpleGrid, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useEffect, useId, useRef, useState } from 'react';
import type { PolicyRule } from '../../api/policy.js';
import { ActionForm } from '../../ui/action-form.js';
import { Section } from '../../ui/section.js';
import { useReturnFocus } from '../../ui/use-return-focus.js';
import { ActionFields, ConditionFields } from './condition-fields.js';
import {
  createException,
  toRule,
  toRuleValues,
  validateException,
  validateRule,
  type RuleValues,
} from './rule-values.js';
import classes from './rule-form.module.css';

const MAX_EXCEPTIONS = 20;
const MODES = [
  { value: 'dry_run', label: 'Dry run: count requests, but change nothing' },
  { value: 'live', label: 'Live' },
  { value: 'off', label: 'Off' },
];

/** Values that a short form starts with. */
const EXCEPTION = { mode: 'live', kind: 'refuse' } as const;

interface RuleFormProps {
  /** Rule to edit, or null for a new one. */
  rule: PolicyRule | null;
  /** True to start with only an agent and an action. */
  isException: boolean;
  /** Suggested agents. */
  agentTokens: readonly string[];
  onChange: (rule: PolicyRule) => void;
  onClose: () => void;
}

export default function RuleForm({ rule, isException, agentTokens, onChange, onClose }: RuleFormProps) {
  useReturnFocus();
  const fields = useRef<HTMLDivElement>(null);
  useEffect(() => fields.current?.querySelector<HTMLElement>('input')?.focus(), []);
  const [isShort, setShort] = useState(isException);
  const form = useForm<RuleValues>({
    initialValues: { ...toRuleValues(rule), ...(isException && EXCEPTION) },
    validate: (values) => (isShort ? validateException(values) : validateRule(values)),
  });
  const { exceptions } = form.values;
  const listId = useId();
  const title = isException ? 'Add exception' : rule === null ? 'Add rule' : `Edit “${rule.name}”`;
  if (isShort) {
    return (
      <Section title={title} lead="Applies before the rules for types.">
        <div ref={fields}>
          <ActionForm
            form={form}
            action={async (values) => onChange(toRule({ ...values, name: values.agent_tokens }))}
            submit={title}
            aside={
              <Group gap="xs">
                <Button variant="subtle" onClick={() => setShort(false)}>
                  More conditions
                </Button>
                <Button variant="default" onClick={onClose}>
                  Cancel
                </Button>
              </Group>
            }
          >
            <SimpleGrid cols={{ base: 1, sm: 2 }}>
              <TextInput
                label="Agent"
                placeholder="GPTBot"
                list={listId}
                autoComplete="off"
                spellCheck={false}
                {...form.getInputProps('agent_tokens')}
              />
              <ActionFields form={form} values={form.values} prefix="" />
            </SimpleGrid>
            <datalist id={listId}>
              {agentTokens.map((token) => (
                <option key={token} value={token} />
              ))}
            </datalist>
          </ActionForm>
        </div>
      </Section>
    );
  }
  return (
    <Section title={title}>
      <div ref={fields} className={classes['fields']}>
        <ActionForm
          form={form}
          action={async (values) => onChange(toRule(values))}
          submit={rule === null ? title : 'Apply'}
          aside={
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
          }
        >
          <TextInput label="Name" maxLength={100} {...form.getInputProps('name')} />
          <ConditionFields form={form} values={form.values} prefix="" />
          <NativeSelect label="Mode" data={MODES} {...form.getInputProps('mode')} />
          <Checkbox
            label="Keep enforcing while the instance can’t be reached"
            description="Only applies to clients that decide locally. Otherwise, all visitors are let through."
            {...form.getInputProps('enforces_when_unreachable', { type: 'checkbox' })}
          />
          {exceptions.map((exception, index) => (
            <fieldset key={exception.id}>
              <legend>Exception {index + 1}</legend>
              <ConditionFields form={form} values={exception} prefix={`exceptions.${index}.`} />
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
          </Group>
        </ActionForm>
      </div>
    </Section>
  );
}
