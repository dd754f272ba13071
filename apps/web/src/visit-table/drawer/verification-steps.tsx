import { Anchor, Code, Group, Paper, Stack, Text } from '@mantine/core';
import { capitalize, METHODS, describeReason, STEP_OUTCOMES } from '#libs/agents/vocabulary';
import type { Evidence, IpRangeStep, ReverseDnsStep, SignatureStep } from '#libs/contracts';
import type { Visit } from '../../api/client.js';
import { Icon } from '../../ui/icon.js';
import { formatFullTime, RelativeTime } from '../../ui/relative-time.js';
import { DescriptionList } from '../../ui/description-list.js';
import { isListOld } from './describe-visit.js';

type Step = NonNullable<Evidence['steps']>[number];

const OUTCOME_ICONS = { passed: 'verified', failed: 'failed', inconclusive: 'open' } as const;

// Allow any text, because services from a newer release may send methods and outcomes that this release doesn't know.
const methods: Record<string, string> = METHODS;
const outcomes: Record<string, keyof typeof OUTCOME_ICONS> = STEP_OUTCOMES;

interface VerificationStepsProps {
  item: Visit;
  steps: readonly Step[];
  /** Reason for the identification result, which the top of the drawer already explains. */
  reason: string | null;
  timeZone: string;
}

export function VerificationSteps({ item, steps, reason, timeZone }: VerificationStepsProps) {
  if (steps.length === 0) return <Text size="sm">Nothing was checked.</Text>;
  return (
    <Stack component="ol" gap="xs" p={0} m={0} style={{ listStyle: 'none' }}>
      {steps.map((step, index) => (
        // Steps have no identity other than their position. oxlint-disable-next-line react/no-array-index-key
        <StepItem key={index} item={item} step={step} number={index + 1} result={reason} timeZone={timeZone} />
      ))}
    </Stack>
  );
}

interface StepItemProps {
  item: Visit;
  step: Step;
  number: number;
  result: string | null;
  timeZone: string;
}

function StepItem({ item, step, number, result, timeZone }: StepItemProps) {
  const { method } = step;
  const outcome = 'outcome' in step ? step.outcome : '';
  const reason = 'reason' in step ? step.reason : '';
  const word = outcomes[outcome] ?? 'inconclusive';
  const icon = OUTCOME_ICONS[word];
  return (
    <Paper component="li" withBorder p="xs">
      <Group justify="space-between" gap="xs">
        <Text fw={500} size="sm">
          {number}. {capitalize(methods[method] ?? method)}
        </Text>
        <Group gap={4} c={`var(--${icon})`} fw={500} fz="sm" wrap="nowrap">
          <Icon name={icon} size={15} />
          {capitalize(word)}
        </Group>
      </Group>
      {reason !== '' && (reason === 'ok' ? method !== item.identification.method : reason !== result) && (
        <Text size="sm" mb={4}>
          {describeReason(reason, method)}
        </Text>
      )}
      {method === 'http_message_signature' && <Signature step={step as SignatureStep} timeZone={timeZone} />}
      {method === 'ip_range' && <IpRange item={item} step={step as IpRangeStep} timeZone={timeZone} />}
      {method === 'reverse_dns' && <ReverseDns step={step as ReverseDnsStep} />}
    </Paper>
  );
}

const renderTime = (value: string | null, timeZone: string) =>
  value && <time title={value}>{formatFullTime(value, timeZone)}</time>;

function Signature({ step, timeZone }: { step: SignatureStep; timeZone: string }) {
  return (
    <DescriptionList
      facts={[
        ['Agent', step.agent_token],
        ['Key ID', step.key_id && <Code>{step.key_id}</Code>],
        ['Algorithm', step.algorithm],
        ['Key directory', step.directory_url ?? step.signature_agent],
        ['Created', renderTime(step.created, timeZone)],
        ['Expires', renderTime(step.expires, timeZone)],
        ['Covers', step.covered_components.join(' ')],
        ['Label', step.label],
      ]}
    />
  );
}

function IpRange({ item, step, timeZone }: { item: Visit; step: IpRangeStep; timeZone: string }) {
  const owner = item.identification.operator_name;
  return (
    <>
      <DescriptionList
        facts={[
          ['Range', step.range && <Code>{step.range}</Code>],
          [
            'Compared',
            step.range === null &&
              step.as_of &&
              `${item.client_address} isn’t in ${owner === null ? 'the' : `${owner}’s`} published ranges`,
          ],
          [
            'Published at',
            step.list_url && (
              <Anchor href={step.list_url} rel="noreferrer" target="_blank" size="sm">
                {step.list_url}
              </Anchor>
            ),
          ],
          [
            'List fetched',
            step.as_of && (
              <>
                <RelativeTime time={step.as_of} /> ({formatFullTime(step.as_of, timeZone)})
              </>
            ),
          ],
        ]}
      />
      {isListOld(item, step) && (
        <Text size="sm" c="dimmed" mt={4}>
          {step.range === null
            ? 'A list over 7 days old can’t rule out an address: the operator may have added it since.'
            : 'A list over 7 days old can still confirm an address, but not rule one out.'}
        </Text>
      )}
    </>
  );
}

function ReverseDns({ step }: { step: ReverseDnsStep }) {
  return (
    <DescriptionList
      facts={[
        ['Address → name', step.host_names.join(', ') || 'no host name'],
        ['Name → address', step.confirmed_host_name && `${step.confirmed_host_name} resolves back to the address`],
      ]}
    />
  );
}
