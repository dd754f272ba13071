import type { SiteDecision } from '#libs/robots';
import { Code, Stack, Text } from '@mantine/core';
import { formatCount } from '../../../format/count.js';
import { Listing } from '../../../ui/listing.js';
import type { SiteDraft } from './site-draft.js';

const MAX_NAMES = 3;
const MAX_CONTRADICTIONS = 5;

/** Explains what the site's own lines mean for the draft. */
export function MergeNotes({ draft, isCut }: { draft: SiteDraft; isCut: boolean }) {
  const { covered, named, contradictions, problem, isTooLarge } = draft;
  const others = contradictions.length - MAX_CONTRADICTIONS;
  const hasNotes = [covered, named, contradictions].some(({ length }) => length > 0) || isCut || isTooLarge;
  if (!hasNotes && problem === null) return null;
  return (
    <Stack gap={4}>
      {problem !== null && (
        <Text size="sm" role="note">
          Your file couldn’t be merged. {problem} This draft only contains the new lines.
        </Text>
      )}
      {contradictions.slice(0, MAX_CONTRADICTIONS).map(({ name, line }) => (
        <Text key={`${line.line} ${name}`} size="sm" role="note">
          Your own line {line.line} contradicts your choice for {name === '*' ? 'all agents' : name}:{' '}
          <Code>{line.text}</Code>
        </Text>
      ))}
      {others > 0 && <Text size="sm">and {formatCount(others)} more lines that contradict your choices</Text>}
      {covered.length > 0 && (
        <Text size="sm" c="dimmed">
          Your own lines already cover <Names decisions={covered} />, so the draft doesn’t name{' '}
          {covered.length === 1 ? 'it' : 'them'} again.
        </Text>
      )}
      {named.length > 0 && (
        <Text size="sm" c="dimmed">
          Your own lines also name <Names decisions={named} />. Crawlers follow both.
        </Text>
      )}
      {isCut && (
        <Text size="sm" role="note">
          Your file is larger than 500 KiB, and only this part was fetched. Use the command below to update it without
          losing the rest.
        </Text>
      )}
      {isTooLarge && !isCut && (
        <Text size="sm" role="note">
          This file is larger than 500 KiB. Crawlers may ignore the rest.
        </Text>
      )}
    </Stack>
  );
}

const Names = ({ decisions }: { decisions: readonly SiteDecision[] }) => (
  <Listing items={decisions.map(({ name }) => ({ key: name, content: name }))} limit={MAX_NAMES} />
);
