import { Group, NativeSelect, SimpleGrid, Stack, Text } from '@mantine/core';
import type { RulesSelection } from '../../../api/rules-queries.js';
import { DebouncedInput } from '../../../ui/debounced-input.js';
import { Disclosure } from '../../../ui/disclosure.js';
import classes from '../../../ui/list.module.css';
import { Section } from '../../../ui/section.js';
import { Segments } from '../../../ui/segments.js';
import { readPurposes, setPurpose, type PurposeState } from './purposes.js';
import { SIGNAL_USES, SIGNALS, type RobotsSearch } from './search.js';
import { isLicense } from './selection.js';
import { readUsage } from './site-state.js';

type Member = keyof typeof SIGNALS;
type Choice = 'yes' | 'no' | '';

const CHOICES: readonly { value: Choice; label: string }[] = [
  { value: 'yes', label: 'Allow' },
  { value: 'no', label: 'Don’t allow' },
  { value: '', label: 'Not stated' },
];

/** Labels for the signals in each robots.txt line. */
const LABELS: Record<Member, Record<string, string>> = {
  content_signal: { search: 'Search', ai_input: 'AI answers', ai_train: 'AI training' },
  content_usage: { search: 'Search', ai_use: 'AI answers', train_ai: 'AI training' },
};

const NAMES: Record<Member, string> = { content_signal: 'Content-Signal', content_usage: 'Content-Usage' };

const USE_LABELS = {
  immediate: 'Answer now, store nothing',
  reference: 'Index and link',
  full: 'Everything',
};
const USES = [
  { value: '', label: 'Not stated' },
  ...SIGNAL_USES.map((use) => ({ value: use, label: USE_LABELS[use] })),
];

interface SignalsFormProps {
  selection: RulesSelection;
  /** Content of the file that the site serves, or null if it serves none. */
  served: string | null;
  /** License URL as typed. It's only added to the file once it's valid. */
  license: string;
  onChange: (change: Partial<RobotsSearch>) => void;
}

export function SignalsForm({ selection, served, license, onChange }: SignalsFormProps) {
  const usage = readUsage(served ?? '');
  // A draft without preferences doesn't change the site's own lines.
  const remaining = (['content_signal', 'content_usage'] as const).filter(
    (member) => usage[member] !== undefined && Object.keys(selection[member] ?? {}).length === 0,
  );
  return (
    <Section
      title="How agents may use your pages"
      lead="Each choice is written in both standards. Like everything in robots.txt, these are requests that aren’t enforced."
    >
      <ul className={classes['list']}>
        {readPurposes(selection).map((state) => (
          <li key={state.purpose.key} className={classes['item']}>
            <PurposeChoice
              state={state}
              onChange={(isAllowed) => onChange(setPurpose(selection, state.purpose, isAllowed))}
            />
          </li>
        ))}
      </ul>
      <DebouncedInput
        label="License"
        description="URL of your license terms, for Really Simple Licensing (RSL). It applies to the whole file."
        placeholder="https://example.com/license.xml"
        value={license}
        onTyped={(text) => onChange({ license: text === '' ? undefined : text })}
        error={
          license !== '' &&
          !isLicense(license) &&
          'Enter a URL that starts with https:// and has no spaces, # or non-ASCII characters. Until then, the file won’t include a license.'
        }
        spellCheck={false}
      />
      {remaining.length > 0 && (
        <Text size="sm" role="note">
          Your file’s own {remaining.map((member) => NAMES[member]).join(' and ')}{' '}
          {remaining.length === 1 ? 'line stays' : 'lines stay'}. To state nothing, delete{' '}
          {remaining.length === 1 ? 'it' : 'them'} from the file.
        </Text>
      )}
      <Disclosure label="Advanced">
        <Stack gap="sm">
          <SignalFields member="content_signal" what="Cloudflare’s Content Signals." {...{ selection, onChange }} />
          <SignalFields
            member="content_usage"
            what="A draft by the IETF’s AIPREF working group. Names may still change."
            {...{ selection, onChange }}
          />
        </Stack>
      </Disclosure>
    </Section>
  );
}

interface PurposeChoiceProps {
  state: PurposeState;
  /** @param isAllowed Undefined means not stated. */
  onChange: (isAllowed: boolean | undefined) => void;
}

function PurposeChoice({ state, onChange }: PurposeChoiceProps) {
  const { purpose, isAllowed, isContradictory } = state;
  return (
    <Group justify="space-between" gap="xs">
      <div>
        <Text size="sm" fw={500}>
          {purpose.label}
        </Text>
        <Text size="xs" c="dimmed">
          {isContradictory ? 'The draft’s two lines disagree' : purpose.what}
        </Text>
      </div>
      <Segments
        label={purpose.label}
        options={CHOICES}
        // No choice applies to both standards.
        value={(isContradictory ? 'none' : toChoice(isAllowed)) as Choice}
        onChange={(choice) => onChange(choice === '' ? undefined : choice === 'yes')}
      />
    </Group>
  );
}

const toChoice = (isAllowed: boolean | undefined): Choice => (isAllowed === undefined ? '' : isAllowed ? 'yes' : 'no');

interface SignalFieldsProps extends Pick<SignalsFormProps, 'selection' | 'onChange'> {
  member: Member;
  what: string;
}

/** Controls for the signals in one robots.txt line. */
function SignalFields({ member, what, selection, onChange }: SignalFieldsProps) {
  const values: Record<string, boolean | string | undefined> = selection[member] ?? {};
  const setSignal = (signal: string, choice: string): void => {
    const { [signal]: _, ...others } = values;
    const value = choice === 'yes' || choice === 'no' ? choice === 'yes' : choice;
    onChange({ [member]: choice === '' ? others : { ...others, [signal]: value } });
  };
  return (
    <div role="group" aria-label={NAMES[member]}>
      <Text size="sm" fw={500}>
        {NAMES[member]}
      </Text>
      <Text size="xs" c="dimmed" mb={6}>
        {what}
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs">
        {Object.entries(LABELS[member]).map(([signal, label]) => (
          <NativeSelect
            key={signal}
            size="sm"
            label={label}
            data={CHOICES}
            value={toChoice(values[signal] as boolean | undefined)}
            onChange={({ currentTarget }) => setSignal(signal, currentTarget.value)}
          />
        ))}
        {member === 'content_signal' && (
          <NativeSelect
            size="sm"
            label="Maximum use"
            data={USES}
            value={String(values['use'] ?? '')}
            onChange={({ currentTarget }) => setSignal('use', currentTarget.value)}
          />
        )}
      </SimpleGrid>
    </div>
  );
}
