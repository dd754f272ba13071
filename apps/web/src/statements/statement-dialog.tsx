import { Button, Checkbox, Group, Modal, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import '@mantine/core/styles/FloatingIndicator.css';
import '@mantine/core/styles/SegmentedControl.css';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { catalogQuery } from '../api/catalog-queries.js';
import { client, data } from '../api/client.js';
import { MAX_STATEMENT_DAYS, STATEMENT_KEYS_PATH } from '../api/constants.js';
import { getInstanceUrl } from '../public-url.js';
import { DayInput } from '../range/day-input.js';
import type { Range } from '../range/range.js';
import { ActionForm } from '../ui/action-form.js';
import { Snippet } from '../ui/snippet.js';
import { useReturnFocus } from '../ui/use-return-focus.js';

export interface StatementDialogProps {
  projectId: string;
  /** Operator that is selected at first, or null for none. */
  operator: string | null;
  /** Range of the page, which is suggested in full days. */
  range: Range;
  onClose: () => void;
}

const DAY_MS = 86_400_000;

interface Values extends Record<string, unknown> {
  operator: string;
  firstDay: string;
  lastDay: string;
  format: 'html' | 'ndjson';
  includesAddresses: boolean;
}

export default function StatementDialog({ projectId, operator, range, onClose }: StatementDialogProps) {
  useReturnFocus();
  const listId = useId();
  const { data: catalog } = useQuery(catalogQuery);
  const yesterday = toDay(Date.now() - DAY_MS);
  const lastDay = [toDay(Date.parse(range.to) - 1), yesterday].toSorted()[0]!;
  const form = useForm<Values>({
    initialValues: {
      operator: operator ?? '',
      // Ranges start at midnight in the project's time zone, so use the nearest day in UTC.
      firstDay: [toDay(Date.parse(range.from) + DAY_MS / 2), lastDay].toSorted()[0]!,
      lastDay,
      format: 'html',
      includesAddresses: false,
    },
    validate,
  });
  const [saved, setSaved] = useState<SavedStatement | null>(null);
  if (saved !== null) return <Result saved={saved} onClose={onClose} />;
  return (
    <Modal opened onClose={onClose} title="Create a statement" closeButtonProps={{ 'aria-label': 'Close' }}>
      <ActionForm
        form={form}
        action={async (values) => setSaved({ ...values, file: await download(projectId, values) })}
        submit="Download statement"
        aside={
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
        }
      >
        <Text size="sm">
          A signed record of everything an operator fetched, for the operator, a lawyer, or an auditor.
        </Text>
        <TextInput
          label="Operator"
          placeholder="OpenAI"
          list={listId}
          data-autofocus
          {...form.getInputProps('operator')}
        />
        <datalist id={listId}>
          {catalog?.operators.map((row) => (
            <option key={row.operator} value={row.operator} />
          ))}
        </datalist>
        <Group grow align="start">
          <DayInput label="First day (UTC)" max={yesterday} {...form.getInputProps('firstDay')} />
          <DayInput label="Last day (UTC)" max={yesterday} {...form.getInputProps('lastDay')} />
        </Group>
        {Date.parse(range.to) > Date.parse(yesterday) + DAY_MS && (
          <Text size="xs" c="dimmed">
            Statements cover full days. Today will be available tomorrow.
          </Text>
        )}
        <SegmentedControl
          aria-label="Format"
          data={[
            { value: 'html', label: 'Document (HTML)' },
            { value: 'ndjson', label: 'Data (NDJSON)' },
          ]}
          {...form.getInputProps('format')}
        />
        <Checkbox label="Include client addresses" {...form.getInputProps('includesAddresses', { type: 'checkbox' })} />
      </ActionForm>
    </Modal>
  );
}

interface SavedStatement extends Values {
  /** Name of the downloaded file. */
  file: string;
}

const DAY_FORMAT = { timeZone: 'UTC', dateStyle: 'long' } as const;

/** Describes the downloaded statement and how to check it. */
function Result({
  saved: { operator, firstDay, lastDay, file },
  onClose,
}: {
  saved: SavedStatement;
  onClose: () => void;
}) {
  const days = new Intl.DateTimeFormat('en-US', DAY_FORMAT).formatRange(new Date(firstDay), new Date(lastDay));
  return (
    <Modal opened onClose={onClose} title="Statement downloaded" closeButtonProps={{ 'aria-label': 'Close' }}>
      <Stack gap="sm" role="status">
        <Text size="sm">
          <strong>{file}</strong> lists all fetches by {operator}, {days} (UTC). It’s signed, so any change to the file
          can be detected.
        </Text>
        <Text size="sm">To check the signature, the recipient runs:</Text>
        <Snippet
          text={`agent-traffic statement verify ${file} --key ${getInstanceUrl()}${STATEMENT_KEYS_PATH}`}
          what="command"
        />
        <Group>
          <Button onClick={onClose} data-autofocus>
            Done
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

const toDay = (time: number): string => new Date(time).toISOString().slice(0, 10);

function validate({ operator, firstDay, lastDay }: Values): Partial<Record<keyof Values, string>> {
  if (operator.trim() === '') return { operator: 'Enter an operator.' };
  if (firstDay > lastDay) return { lastDay: 'Must not be before the first day.' };
  const days = (Date.parse(lastDay) - Date.parse(firstDay)) / DAY_MS + 1;
  return days > MAX_STATEMENT_DAYS ? { firstDay: `Select a range of at most ${MAX_STATEMENT_DAYS} days.` } : {};
}

/**
 * Saves the statement as a file. Reads all of it first, so that errors can be shown in the form.
 *
 * @returns Name of the file.
 * @throws {ApiError} if the instance can't create it.
 */
async function download(
  projectId: string,
  { operator, firstDay, lastDay, format, includesAddresses }: Values,
): Promise<string> {
  const response = client.GET('/api/projects/{id}/statement', {
    params: {
      path: { id: projectId },
      query: {
        operator: operator.trim(),
        from: firstDay,
        to: toDay(Date.parse(lastDay) + DAY_MS),
        format,
        addresses: includesAddresses ? 'include' : 'omit',
      },
    },
    parseAs: 'blob',
  });
  const url = URL.createObjectURL(await data(response));
  const link = document.createElement('a');
  link.href = url;
  link.download = (await response).response.headers.get('content-disposition')?.split('"')[1] ?? `statement.${format}`;
  link.click();
  URL.revokeObjectURL(url);
  return link.download;
}
