import { NativeSelect, SimpleGrid, Text } from '@mantine/core';
import type { RulesSelection } from '../../api/rules-queries.js';
import { Section } from '../../ui/section.js';
import { TypedInput } from '../../ui/typed-input.js';
import { isLicense, SIGNALS, type RobotsSearch } from './selection.js';

type Member = keyof typeof SIGNALS;

/** Labels of the statements in each robots.txt line. */
const LABELS: Record<Member, Record<string, string>> = {
  content_signal: { search: 'Search', ai_input: 'AI answers', ai_train: 'AI training' },
  content_usage: { train_ai: 'AI training', search: 'Search' },
};
const CHOICES = [
  { value: '', label: 'Not stated' },
  { value: 'yes', label: 'Yes' },
  { value: 'no', label: 'No' },
];

interface SignalsFormProps {
  selection: RulesSelection;
  /** Text as typed. The file only contains it once it is valid. */
  license: string;
  onChange: (change: Partial<RobotsSearch>) => void;
}

/** Form for the license and the statements about the use of the site's content. */
export function SignalsForm({ selection, license, onChange }: SignalsFormProps) {
  return (
    <Section
      title="Usage and license"
      lead="How agents may use what they fetch. Like all of robots.txt, these are requests that nothing enforces. “Not stated” neither allows nor forbids a use."
    >
      <Statements
        member="content_signal"
        name="Content-Signal"
        what="Cloudflare’s Content Signals: search results with links and excerpts, answers by AI models, and training of AI models."
        {...{ selection, onChange }}
      />
      <Statements
        member="content_usage"
        name="Content-Usage"
        what="The draft of the IETF’s AIPREF working group for the same purpose. Names may still change."
        {...{ selection, onChange }}
      />
      <TypedInput
        label="License"
        description="URL of your license terms, for Really Simple Licensing (RSL). It applies to the whole file."
        placeholder="https://example.com/license.xml"
        value={license}
        onTyped={(text) => onChange({ license: text === '' ? undefined : text })}
        error={
          license !== '' &&
          !isLicense(license) &&
          'Enter a URL that starts with https:// and has no spaces, # or non-ASCII characters. Until then the file has no license.'
        }
        spellCheck={false}
      />
      <Text size="xs" c="dimmed">
        These lines go into a group for *, and into the groups of agents that may still fetch something. If your
        robots.txt already has a group for *, move them there: some older parsers read only one of two groups.
      </Text>
    </Section>
  );
}

interface StatementsProps extends Pick<SignalsFormProps, 'selection' | 'onChange'> {
  member: Member;
  name: string;
  what: string;
}

/** Controls for the statements of one line: yes, no or not stated. */
function Statements({ member, name, what, selection, onChange }: StatementsProps) {
  const stated: Record<string, boolean | undefined> = selection[member] ?? {};
  const state = (statement: string, choice: string): void => {
    const { [statement]: _, ...others } = stated;
    const all = choice === '' ? others : { ...others, [statement]: choice === 'yes' };
    onChange({ [member]: Object.keys(all).length === 0 ? undefined : all });
  };
  return (
    <div role="group" aria-label={name}>
      <Text size="sm" fw={500}>
        {name}
      </Text>
      <Text size="xs" c="dimmed" mb={6}>
        {what}
      </Text>
      <SimpleGrid cols={{ base: 1, xs: SIGNALS[member].length }} spacing="xs">
        {SIGNALS[member].map((statement) => (
          <NativeSelect
            key={statement}
            size="sm"
            label={LABELS[member][statement]}
            data={CHOICES}
            value={stated[statement] === undefined ? '' : stated[statement] ? 'yes' : 'no'}
            onChange={({ currentTarget }) => state(statement, currentTarget.value)}
          />
        ))}
      </SimpleGrid>
    </div>
  );
}
