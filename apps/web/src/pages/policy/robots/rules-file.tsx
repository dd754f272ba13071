import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useRef } from 'react';
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
import classes from '../../../rules/rules.module.css';
import { FORMATS } from './search.js';
import { commandLine } from './selection.js';

const RemovedLines = lazy(() => import('./site-comparison.js').then((module) => ({ default: module.RemovedLines })));

interface RulesFileProps {
  projectId: string;
  selection: RulesSelection;
  rules: { text: string; catalog_version: string };
  /** True while newer rules are being rendered. */
  isOld: boolean;
  /** True to show only the lines for all agents. */
  isShort: boolean;
  /** True if a version has been saved. */
  isSaved: boolean;
  /** True if the user changed the selection since it was saved. */
  isChanged: boolean;
  /** robots.txt that the site serves. Null if it serves none, or the draft has another format. */
  served: string | null;
  mayChange: boolean;
}

/** Returns the parts that apply to all agents: the group for `*` and lines without a group. */
const findSharedParts = (text: string): string =>
  text
    .split('\n\n')
    .filter((part) => !part.startsWith('User-agent:') || part.startsWith('User-agent: *'))
    .join('\n\n');

export function RulesFile(props: RulesFileProps) {
  const { projectId, selection, rules, isOld, isShort, isSaved, isChanged, served, mayChange } = props;
  const { file, mediaType } = FORMATS[selection.format];
  const { text } = rules;
  const shown = isShort ? findSharedParts(text) : text;
  const command = commandLine(selection, projectId);
  const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
  return (
    <Section
      title={isShort ? 'Lines for all agents' : 'Draft'}
      lead={
        isShort ? (
          'In your draft of robots.txt. They’re repeated in each agent’s own group.'
        ) : (
          <>
            {formatCount(lines)} {lines === 1 ? 'line' : 'lines'}, {formatBytes(new Blob([text]).size)}; catalog{' '}
            {rules.catalog_version}
            {!isSaved && '; not saved yet'}
          </>
        )
      }
      actions={<CopyButton text={shown} what="the rendered file" />}
    >
      {shown === '' ? (
        <Text size="sm">
          {isShort ? 'None yet.' : 'Rules can’t name any of the remaining agents of these types, so the file is empty.'}
        </Text>
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
          {shown}
        </Code>
      )}
      <Group gap="xs">
        {mayChange && <SaveButton projectId={projectId} selection={selection} isChanged={isChanged} />}
        {!isShort && (
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => downloadFile(file, text, mediaType)}
            disabled={isOld}
          >
            Download {file}
          </Button>
        )}
        {served !== null && (
          <Suspense>
            <RemovedLines served={served} draft={text} format={selection.format} />
          </Suspense>
        )}
      </Group>
      {!isShort && (
        <details>
          <Text component="summary" size="sm">
            Update the file automatically
          </Text>
          <Stack gap={4} align="flex-start" mt={6}>
            <Text size="sm" c="dimmed">
              Run this from a shell or cron, {INSTALL_LOCATION};{' '}
              <Code className={classes['option'] ?? ''}>--into FILE</Code> or{' '}
              <Code className={classes['option'] ?? ''}>--output FILE</Code> updates a file when something changes.
            </Text>
            <Code block w="100%" className={classes['command']}>
              {command}
            </Code>
            <CopyButton text={command} what="the command" />
          </Stack>
        </details>
      )}
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
        Save as current version
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
