import { Checkbox, Group, NativeSelect, NumberInput, SimpleGrid, Text, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useState, type ReactNode } from 'react';
import { CRAWL_PURPOSES } from '#libs/agents/vocabulary';
import { AGENT_TYPES } from '../ui/agent-types.js';
import { LinesInput } from '../ui/record-form.js';
import type { ConditionValues, RuleValues } from './rule-values.js';
import { AgentsInput, OperatorsInput } from './name-inputs.js';
import { RESULT_LABELS } from './rule-text.js';

const ACTIONS = [
  { value: 'allow', label: 'Allow' },
  { value: 'slow_down', label: 'Slow down (429)' },
  { value: 'redirect', label: 'Redirect (301 or 308)' },
  { value: 'charge', label: 'Charge (402)' },
  { value: 'refuse', label: 'Block (403)' },
];

interface FieldsProps {
  form: UseFormReturnType<RuleValues>;
  /** Values of the rule or exception, and the prefix of their names in the form. */
  values: ConditionValues;
  prefix: string;
}

type Field = keyof ConditionValues;

interface ConditionFieldsProps extends FieldsProps {
  /** Suggested agents. */
  agentTokens: readonly string[];
}

/** Visitors and requests that a rule or exception applies to. Conditions without values are collapsed. */
export function ConditionFields({ form, values, prefix, agentTokens }: ConditionFieldsProps) {
  const of = (field: Field) => form.getInputProps(`${prefix}${field}`);
  const isException = prefix !== '';
  const isSet = (...fields: Field[]): boolean =>
    fields.some((field) => (Array.isArray(values[field]) ? values[field].length > 0 : Boolean(values[field])));
  return (
    <>
      <fieldset>
        <legend>Visitors</legend>
        <Text size="sm" c="dimmed" mb="xs">
          {isException
            ? 'Visitors must match the rule, too. If everything is empty, all visitors that match the rule match.'
            : 'A visitor must match one of these. If everything is empty, all known agents match.'}
        </Text>
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <AgentsInput suggested={agentTokens} {...of('agent_tokens')} />
          <OperatorsInput {...of('operators')} />
        </SimpleGrid>
        <Condition label="Purposes" isOpen={isSet('purposes')}>
          <Choices
            label="Purposes"
            options={Object.entries(CRAWL_PURPOSES).map(([value, { label }]) => ({ value, label }))}
            input={of('purposes')}
          />
        </Condition>
        <Condition label="Agent types" isOpen={isSet('agent_types')}>
          <Choices
            label="Agent types"
            options={AGENT_TYPES.map((type) => ({ value: type, label: type }))}
            input={of('agent_types')}
          />
        </Condition>
        <Condition label="Networks and unknown visitors" isOpen={isSet('networks', 'likely_automated')}>
          <LinesInput
            label="Networks"
            description="One address or network per line, such as 203.0.113.0/24. People on these networks are matched too."
            {...of('networks')}
          />
          <Checkbox
            mt="xs"
            label="Unknown visitors that are likely automated"
            {...form.getInputProps(`${prefix}likely_automated`, { type: 'checkbox' })}
          />
        </Condition>
        <Condition label="Only some verification results" isOpen={isSet('results')}>
          <Choices
            label="Only some verification results"
            options={Object.entries(RESULT_LABELS).map(([value, label]) => ({ value, label }))}
            input={of('results')}
          />
        </Condition>
      </fieldset>
      <fieldset>
        <legend>Requests</legend>
        <Condition label="Paths, methods, and hosts" isOpen={isSet('paths', 'methods', 'hosts')}>
          <SimpleGrid cols={{ base: 1, xs: 3 }}>
            <LinesInput
              label="Paths"
              description="One per line, as in robots.txt: /docs/ or /*.pdf$. Default: all."
              {...of('paths')}
            />
            <LinesInput label="Methods" description="One per line, such as GET. Default: all." {...of('methods')} />
            <LinesInput label="Hosts" description="One per line. Default: all." {...of('hosts')} />
          </SimpleGrid>
        </Condition>
        <Text size="sm" c="dimmed" mt="xs">
          Rules never apply to /robots.txt and paths below /.well-known/.
        </Text>
      </fieldset>
    </>
  );
}

interface ConditionProps {
  label: string;
  /** True if it has values when the form opens. */
  isOpen: boolean;
  children: ReactNode;
}

/** Fields that can be collapsed. */
function Condition({ label, isOpen, children }: ConditionProps) {
  const [wasOpen] = useState(isOpen);
  return (
    <details open={wasOpen}>
      <Text component="summary" size="sm" fw={500} py={4}>
        {label}
      </Text>
      {children}
    </details>
  );
}

/** Action of a rule or exception. */
export function ActionFields({ form, values, prefix }: FieldsProps) {
  const of = (field: Field) => form.getInputProps(`${prefix}${field}`);
  return (
    <Group align="flex-start" grow preventGrowOverflow={false}>
      <NativeSelect label="Action" data={ACTIONS} {...of('kind')} />
      {values.kind === 'slow_down' && (
        <NumberInput
          label="Requests per minute"
          description="For each agent, from all addresses together"
          min={1}
          allowNegative={false}
          allowDecimal={false}
          {...of('requests_per_minute')}
        />
      )}
      {values.kind === 'charge' && (
        <>
          <TextInput label="Price" placeholder="USD 0.01" maxLength={200} {...of('price')} />
          <TextInput label="Page about the price" placeholder="https://example.com/pricing" {...of('url')} />
        </>
      )}
      {values.kind === 'redirect' && (
        <>
          <NativeSelect
            label="Status"
            data={[
              { value: '308', label: '308 Permanent Redirect' },
              { value: '301', label: '301 Moved Permanently' },
            ]}
            {...of('status')}
          />
          <TextInput
            label="Location"
            description="Path on the same host. {path} stands for the requested path."
            {...of('location')}
          />
        </>
      )}
    </Group>
  );
}

interface ChoicesProps {
  label: string;
  options: readonly { value: string; label: string }[];
  input: ReturnType<UseFormReturnType<RuleValues>['getInputProps']>;
}

const Choices = ({ label, options, input }: ChoicesProps) => (
  <Checkbox.Group aria-label={label} {...input}>
    <Group gap="sm" py={6}>
      {options.map((option) => (
        <Checkbox key={option.value} size="sm" value={option.value} label={option.label} />
      ))}
    </Group>
  </Checkbox.Group>
);
