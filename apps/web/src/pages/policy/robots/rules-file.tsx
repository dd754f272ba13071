import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { ApiError, client, data } from '../../../api/client.js';
import { ifMatch } from '../../../api/if-match.js';
import {
  rulesVersionQuery,
  rulesVersionsQuery,
  type RulesSelection,
  type RulesVersion,
} from '../../../api/rules-queries.js';
import { formatCount } from '../../../format/count.js';
import { formatBytes } from '../../../format/bytes.js';
import { INSTALL_LOCATION } from '../../../ui/command.js';
import { CopyButton } from '../../../ui/copy-button.js';
import { downloadFile } from '../../../ui/download-file.js';
import { Failure } from '../../../ui/failure.js';
import { Icon } from '../../../ui/icon.js';
import { RelativeTime } from '../../../ui/relative-time.js';
import { Section } from '../../../ui/section.js';
import { Segments } from '../../../ui/segments.js';
import classes from '../../../rules/rules.module.css';
import { MergeNotes } from './merge-notes.js';
import { MergedLines } from './merged-lines.js';
import { FORMATS } from './formats.js';
import { commandLine } from './selection.js';
import type { SiteDraft } from './site-draft.js';

interface RulesFileProps {
  projectId: string;
  selection: RulesSelection;
  rules: { text: string; catalog_version: string };
  /** Rules merged into the site's file, or null if the format isn't robots.txt. */
  draft: SiteDraft | null;
  /** True while newer rules are being rendered. */
  isOld: boolean;
  /** True if a version has been saved. */
  isSaved: boolean;
  /** True if the user changed the selection since it was saved. */
  isChanged: boolean;
  /** True if the site serves a robots.txt. */
  hasServed: boolean;
  /** True if only a part of the site's robots.txt was fetched. */
  isCut: boolean;
  mayChange: boolean;
}

type View = 'changes' | 'file';
const VIEWS: readonly { value: View; label: string }[] = [
  { value: 'changes', label: 'Changes' },
  { value: 'file', label: 'Whole file' },
];

const countLines = (text: string): number => text.split('\n').length - (text.endsWith('\n') ? 1 : 0);

const formatLineCount = (count: number): string => `${formatCount(count)} ${count === 1 ? 'line' : 'lines'}`;

function describeChanges({ lines }: SiteDraft): string {
  const [added, removed] = (['added', 'removed'] as const).map(
    (kind) => lines.filter(({ change }) => change === kind).length,
  ) as [number, number];
  if (added + removed === 0) return 'Your site already serves this file';
  const parts = [
    added > 0 && `plus ${formatCount(added)} new ${added === 1 ? 'line' : 'lines'}`,
    removed > 0 && `minus ${formatLineCount(removed)}`,
  ];
  return `Your file ${parts.filter((part) => part !== false).join(' and ')}`;
}

export function RulesFile(props: RulesFileProps) {
  const { projectId, selection, rules, draft, isOld, isSaved, isChanged, hasServed, isCut, mayChange } = props;
  const [view, setView] = useState<View>('changes');
  const { file, mediaType } = FORMATS[selection.format];
  const text = draft?.text ?? rules.text;
  const hasChanges = hasServed && draft?.lines.some(({ change }) => change !== null) === true;
  const isShort = hasChanges && view === 'changes';
  const command = commandLine(selection, projectId);
  return (
    <Section
      title="Draft"
      lead={
        <>
          {hasServed && draft !== null
            ? describeChanges(draft)
            : `${formatLineCount(countLines(text))}, ${formatBytes(new Blob([text]).size)}`}
          {!isSaved && (!hasServed || hasChanges) && ', not saved yet'}
        </>
      }
      actions={
        <>
          {hasChanges && <Segments label="Lines to show" options={VIEWS} value={view} onChange={setView} />}
          <CopyButton text={text} what="the whole file" />
        </>
      }
    >
      {text === '' ? (
        <Text size="sm">Rules can’t name any of the remaining agents of these types, so the file is empty.</Text>
      ) : draft !== null && hasServed ? (
        <MergedLines lines={draft.lines} isShort={isShort} isOld={isOld} />
      ) : (
        <Code
          block
          className={classes['file']}
          data-old={isOld || undefined}
          tabIndex={0}
          role="region"
          aria-label="Rendered file"
          aria-busy={isOld}
        >
          {text}
        </Code>
      )}
      {draft !== null && <MergeNotes draft={draft} isCut={isCut} />}
      {mayChange && (
        <Text size="sm" c="dimmed">
          A connected proxy follows the saved selection. Your site serves the file once you upload it.
        </Text>
      )}
      <Group gap="xs">
        {mayChange && <SaveButton projectId={projectId} selection={selection} isChanged={isChanged} />}
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => downloadFile(file, text, mediaType)}
          disabled={isOld || isCut}
        >
          Download {file}
        </Button>
      </Group>
      <details>
        <Text component="summary" size="sm">
          Update the file automatically
        </Text>
        <Stack gap={4} align="flex-start" mt={6}>
          <Text size="sm" c="dimmed">
            Run this from a shell or cron, {INSTALL_LOCATION};{' '}
            <Code className={classes['option'] ?? ''}>--into FILE</Code> merges the rules into your robots.txt, and{' '}
            <Code className={classes['option'] ?? ''}>--output FILE</Code> writes only the rules.
          </Text>
          <Code block w="100%" className={classes['command']}>
            {command}
          </Code>
          <CopyButton text={command} what="the command" />
        </Stack>
      </details>
    </Section>
  );
}

function SaveButton({
  projectId,
  selection,
  isChanged,
}: Pick<RulesFileProps, 'projectId' | 'selection' | 'isChanged'>) {
  const queryClient = useQueryClient();
  // Saving uses this list's ETag to detect conflicts.
  const { data: versions } = useQuery(rulesVersionsQuery(projectId));
  /** True to save even if someone else has saved a newer version. */
  const isOverwriting = useRef(false);
  const saving = useMutation({
    mutationFn: async (body: RulesSelection) => {
      const path = { id: projectId };
      const baseVersions = isOverwriting.current
        ? null
        : queryClient.getQueryData(rulesVersionsQuery(projectId).queryKey);
      const saved = await data(
        client.POST('/api/projects/{id}/rules-versions', {
          params: { path },
          body,
          ...ifMatch(baseVersions?.etag ?? null),
        }),
      );
      queryClient.setQueryData(rulesVersionQuery(projectId, saved.id).queryKey, saved);
    },
    onSettled: async () => {
      isOverwriting.current = false;
      await queryClient.invalidateQueries({ queryKey: rulesVersionsQuery(projectId).queryKey, exact: true });
    },
  });
  const conflict = saving.error instanceof ApiError ? saving.error.current : undefined;
  const [newer] = (conflict?.['versions'] ?? []) as Pick<RulesVersion, 'saved_by' | 'saved_at'>[];
  // Compare the selection, because it may have changed since it was saved.
  const isSaved = saving.isSuccess && JSON.stringify(saving.variables) === JSON.stringify(selection);
  return (
    <>
      <Button
        size="compact-sm"
        variant={isChanged ? 'filled' : 'default'}
        loading={saving.isPending}
        disabled={versions === undefined}
        onClick={() => saving.mutate(selection)}
      >
        Save to policy
      </Button>
      <Text size="sm" c="dimmed" aria-live="polite">
        {isSaved ? 'Saved.' : ''}
      </Text>
      {newer !== undefined && (
        <Alert color="red" variant="outline" icon={<Icon name="failed" />} title="There’s a newer version" role="alert">
          <Text size="sm">
            {newer.saved_by ?? 'Someone'} saved a version of these rules <RelativeTime time={newer.saved_at} />, after
            you opened this page. Review it in the list below before you save yours.
          </Text>
          <Button
            size="xs"
            variant="default"
            mt="sm"
            onClick={() => {
              isOverwriting.current = true;
              saving.mutate(selection);
            }}
          >
            Save mine anyway
          </Button>
        </Alert>
      )}
      {saving.isError && newer === undefined && <Failure error={saving.error} title="Couldn't save the version" />}
    </>
  );
}
