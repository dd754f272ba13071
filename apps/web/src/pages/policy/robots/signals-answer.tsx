import { Button, Code, Group, Text } from '@mantine/core';
import { useState } from 'react';
import type { RulesSelection } from '../../../api/rules-queries.js';
import { Answer } from '../../../ui/answer.js';
import { Listing } from '../../../ui/listing.js';
import { Section } from '../../../ui/section.js';
import { readPurposes, setPurpose, type PurposeState } from './purposes.js';
import type { RobotsSearch } from './search.js';
import { readUsage } from './site-state.js';

interface SignalsAnswerProps {
  /** Content of the file that the site serves, or null if it serves none. */
  served: string | null;
  selection: RulesSelection;
  onChange: (change: Partial<RobotsSearch>) => void;
}

/** Sentence about the preferences that the site serves, and the contradictions between them. */
export function SignalsAnswer({ served, selection, onChange }: SignalsAnswerProps) {
  const usage = readUsage(served ?? '');
  const states = readPurposes(usage);
  const clauses: [text: string, states: PurposeState[]][] = [
    ['allows', states.filter(({ isAllowed }) => isAllowed === true)],
    ['doesn’t allow', states.filter(({ isAllowed, isContradictory }) => isAllowed === false && !isContradictory)],
    ['contradicts itself on', states.filter(({ isContradictory }) => isContradictory)],
  ];
  const stated = clauses.filter(([, purposes]) => purposes.length > 0);
  const unstated = states.filter(({ isAllowed }) => isAllowed === undefined);
  return (
    <>
      <Answer notes={<p>{usage.license === undefined ? 'No license stated' : <>License: {usage.license}</>}</p>}>
        {stated.length === 0 ? (
          served === null ? (
            'Your site serves no robots.txt that says how agents may use your pages.'
          ) : (
            'Your site’s robots.txt doesn’t say how agents may use your pages.'
          )
        ) : (
          <>
            Your site’s robots.txt{' '}
            <Listing
              items={[...stated, ...(unstated.length === 0 ? [] : [['says nothing about', unstated] as const])].map(
                ([text, purposes]) => ({
                  key: text,
                  content: (
                    <>
                      {text}{' '}
                      {purposes.map(({ purpose }, index) => `${index > 0 ? ' and ' : ''}${toText(purpose.label)}`)}
                    </>
                  ),
                }),
              )}
            />
            .
          </>
        )}
      </Answer>
      <Contradiction {...{ served, selection, onChange }} />
    </>
  );
}

const toText = (label: string): string => (label === 'Search' ? 'search' : label);

const toWord = (isAllowed: boolean): string => (isAllowed ? 'allows' : 'doesn’t allow');

/** Finding about purposes that both standards state differently, with a fix that changes the draft. */
function Contradiction({ served, selection, onChange }: SignalsAnswerProps) {
  const states = readPurposes(readUsage(served ?? ''));
  /** Preferences before the fix. */
  const [undone, setUndone] = useState<Pick<RobotsSearch, 'content_signal' | 'content_usage'> | null>(null);
  const contradictory = states.filter(({ isContradictory }) => isContradictory);
  if (contradictory.length === 0) return null;
  const draft = readPurposes(selection);
  const isFixed = !draft.some(({ isContradictory }) => isContradictory);
  const fix = (): void => {
    const { content_signal, content_usage } = selection;
    setUndone({ content_signal, content_usage });
    onChange(
      contradictory.reduce<Pick<RulesSelection, 'content_signal' | 'content_usage'>>(
        (preferences, { purpose }) => setPurpose(preferences, purpose, false) as typeof preferences,
        { ...(content_signal && { content_signal }), ...(content_usage && { content_usage }) },
      ),
    );
  };
  return (
    <Section
      title={isFixed ? 'Contradiction fixed in the draft' : 'Two lines contradict each other'}
      lead={
        isFixed
          ? 'To fix it on your site, too, download the file, and upload it there.'
          : 'An agent that reads only one line may get the wrong answer.'
      }
    >
      {!isFixed &&
        contradictory.map(({ purpose, signal, usage }) => (
          <Text size="sm" key={purpose.key}>
            {purpose.label}: <Code>Content-Signal</Code> {toWord(signal!)} it, <Code>Content-Usage</Code>{' '}
            {toWord(usage!)} it.
          </Text>
        ))}
      <Group gap="xs">
        {!isFixed && (
          <Button size="compact-sm" onClick={fix}>
            Don’t allow it in both
          </Button>
        )}
        {isFixed && undone !== null && (
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => {
              onChange(undone);
              setUndone(null);
            }}
          >
            Undo
          </Button>
        )}
      </Group>
    </Section>
  );
}
