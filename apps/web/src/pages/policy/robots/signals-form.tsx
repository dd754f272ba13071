import { NativeSelect, SimpleGrid, Text } from '@mantine/core';
import type { RobotsSignal } from '../../../api/robots-versions.js';
import type { RulesSelection } from '../../../api/rules-queries.js';
import { Section } from '../../../ui/section.js';
import { DebouncedInput } from '../../../ui/debounced-input.js';
import { SIGNAL_USES, SIGNALS, type RobotsSearch } from './search.js';
import { isLicense } from './selection.js';

type Member = keyof typeof SIGNALS;

/** Labels for the signals in each robots.txt line. */
const LABELS: Record<Member, Record<string, string>> = {
  content_signal: { search: 'Search', ai_input: 'AI answers', ai_train: 'AI training' },
  content_usage: { train_ai: 'AI training', ai_use: 'AI output', search: 'Search' },
};
const CHOICES = [
  { value: '', label: 'Not stated' },
  { value: 'yes', label: 'Yes' },
  { value: 'no', label: 'No' },
];

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
  /** Signals that the site serves now. */
  signals: readonly RobotsSignal[];
  /** License URL as typed. It's only added to the file once it's valid. */
  license: string;
  onChange: (change: Partial<RobotsSearch>) => void;
}

export function SignalsForm({ selection, signals, license, onChange }: SignalsFormProps) {
  return (
    <Section
      title="Your draft"
      lead="Tell agents how they may use what they fetch. Like everything in robots.txt, these are requests that aren’t enforced. “Not stated” says nothing either way."
    >
      <SignalFields
        member="content_signal"
        name="Content-Signal"
        what="Cloudflare’s Content Signals, which cover search results with links and excerpts, AI-generated answers and AI model training."
        {...{ selection, signals, onChange }}
      />
      <SignalFields
        member="content_usage"
        name="Content-Usage"
        what="A draft by the IETF’s AIPREF working group with the same purpose. Names may still change."
        {...{ selection, signals, onChange }}
      />
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
      <Text size="xs" c="dimmed">
        These lines are added to a group for * and to the groups of agents that may still fetch something. If your
        robots.txt already has a group for *, move them there because some older parsers only read one of the two.
      </Text>
    </Section>
  );
}

interface SignalFieldsProps extends Pick<SignalsFormProps, 'selection' | 'signals' | 'onChange'> {
  member: Member;
  name: string;
  what: string;
}

/** Shows a yes, no or “not stated” control for each signal in a robots.txt line. */
function SignalFields({ member, name, what, selection, signals, onChange }: SignalFieldsProps) {
  const values: Record<string, boolean | string | undefined> = selection[member] ?? {};
  const setSignal = (signal: string, choice: string): void => {
    const { [signal]: _, ...others } = values;
    const value = choice === 'yes' || choice === 'no' ? choice === 'yes' : choice;
    const updated = choice === '' ? others : { ...others, [signal]: value };
    onChange({ [member]: Object.keys(updated).length === 0 ? undefined : updated });
  };
  return (
    <div role="group" aria-label={name}>
      <Text size="sm" fw={500}>
        {name}
      </Text>
      <Text size="xs" c="dimmed" mb={6}>
        {what}
      </Text>
      <Text size="xs" mb={6}>
        On your site: {signals.find(({ kind }) => kind === name.toLowerCase())?.text ?? 'no such line'}
      </Text>
      <SimpleGrid cols={{ base: 1, xs: member === 'content_signal' ? 2 : 3 }} spacing="xs">
        {SIGNALS[member].map((signal) => (
          <NativeSelect
            key={signal}
            size="sm"
            label={LABELS[member][signal]}
            data={CHOICES}
            value={values[signal] === undefined ? '' : values[signal] ? 'yes' : 'no'}
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
