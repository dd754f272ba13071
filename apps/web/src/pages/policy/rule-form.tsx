import { Button, Checkbox, Group, NativeSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useEffect, useRef } from 'react';
import type { PolicyRule } from '../../api/policy.js';
import { ActionForm } from '../../ui/action-form.js';
import { Section } from '../../ui/section.js';
import { useReturnFocus } from '../../ui/use-return-focus.js';
import { ConditionFields } from './condition-fields.js';
import { createException, toRule, toRuleValues, validateRule, type RuleValues } from './rule-values.js';
import classes from './rule-form.module.css';

const MAX_EXCEPTIONS = 20;
const MODES = [
  { value: 'dry_run', label: 'Dry run: count requests, but change nothing' },
  { value: 'live', label: 'Live' },
  { value: 'off', label: 'Off' },
];

interface RuleFormProps {
  /** Rule to edit, or null for a new one. */
  rule: PolicyRule | null;
  onChange: (rule: PolicyRule) => void;
  onClose: () => void;
}

export default function RuleForm({ rule, onChange, onClose }: RuleFormProps) {
  useReturnFocus();
  const fields = useRef<HTMLDivElement>(null);
  useEffect(() => fields.current?.querySelector<HTMLElement>('input')?.focus(), []);
  const form = useForm<RuleValues>({ initialValues: toRuleValues(rule), validate: validateRule });
  const { exceptions } = form.values;
  return (
    <Section title={rule === null ? 'Add rule' : `Edit “${rule.name}”`}>
      <div ref={fields} className={classes['fields']}>
        <ActionForm
          form={form}
          action={async (values) => onChange(toRule(values))}
          submit={rule === null ? 'Add rule' : 'Apply'}
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
