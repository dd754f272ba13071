import { Alert, Button, Group, Loader, Progress, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Project } from '../../api/client.js';
import {
  changeReidentification,
  isAtWork,
  previewReidentification,
  reidentificationsQuery,
  type Reidentification,
  type ReidentificationAction,
} from '../../api/reidentifications.js';
import { countText, visitsText } from '../../format/count.js';
import { ActionForm } from '../../ui/action-form.js';
import { Confirm } from '../../ui/confirm.js';
import { DataTable, type TableColumn } from '../../ui/data-table.js';
import { Failure } from '../../ui/failure.js';
import { RelativeTime } from '../../ui/relative-time.js';
import { Section } from '../../ui/section.js';
import { ChangeTable } from './history-changes.js';

const DAY_MS = 86_400_000;
/** Suggested range in days. Equals the default retention of visits. */
const SUGGESTED_DAYS = 90;

const dayBefore = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);
const dayOf = (time: string): string => time.slice(0, 10);

const STATES: Record<Reidentification['state'], string> = {
  previewing: 'Previewing',
  previewed: 'Preview',
  applying: 'Applying',
  applied: 'Applied',
  canceled: 'Canceled',
};

const stateText = (run: Reidentification): string =>
  isAtWork(run) ? `${STATES[run.state]}, ${percentOf(run)} %${run.is_paused ? ', paused' : ''}` : STATES[run.state];

const percentOf = ({ progress }: Reidentification): number => Math.floor(progress * 100);
/** The API only returns the names of existing users. */
const byText = ({ created_by: name }: Reidentification): string => name ?? 'API key or former user';
const reportOf = ({ result, preview }: Reidentification) => result ?? preview;

const COLUMNS: readonly TableColumn<Reidentification>[] = [
  { key: 'created', label: 'Started', isTime: true, value: (run) => run.created_at },
  { key: 'by', label: 'By', value: byText },
  {
    key: 'range',
    label: 'Range',
    value: ({ from, to }) => `${from}/${to}`,
    cell: ({ from, to }) => (
      <>
        <time>{dayOf(from)}</time> to&nbsp;<time>{dayOf(to)}</time>
      </>
    ),
  },
  { key: 'agent', label: 'Agent', value: ({ agent }) => agent, cell: ({ agent }) => agent ?? 'all' },
  { key: 'looked', label: 'Looked at', isOnlyExported: true, value: (run) => reportOf(run)?.looked_at ?? null },
  {
    key: 'changed',
    label: 'Changed',
    isNumber: true,
    value: (run) => reportOf(run)?.changed ?? null,
    cell: (run) => countText(reportOf(run)?.changed ?? 0),
  },
  { key: 'state', label: 'State', value: stateText },
];
const NONE: readonly Reidentification[] = [];

export interface HistoryTabProps {
  project: Project;
  isOwner: boolean;
  /** Agent to preset in the form. */
  agent: string | undefined;
}

/** Re-identifies stored visits: starts a preview, shows its report, and applies it. */
export default function HistoryTab({ project, isOwner, agent }: HistoryTabProps) {
  const runs = useQuery(reidentificationsQuery(project.id));
  const [chosen, setChosen] = useState<string | null>(null);
  const all = runs.data?.reidentifications ?? NONE;
  const shown =
    all.find(({ id }) => id === chosen) ??
    all.find(isAtWork) ??
    all.find((run) => agent === undefined || run.agent === agent);
  const changedAt = runs.data?.catalog_changed_at ?? null;
  return (
    <>
      <Section
        title="Earlier visits"
        lead="Identify stored visits again by today's catalog, assistants and versions of robots.txt. A preview shows what would change, and nothing changes until you apply it. Where a check cannot be repeated, its earlier outcome counts."
      >
        {changedAt !== null && (
          <Alert variant="outline" color="gray" title="The catalog has changed">
            It last changed <RelativeTime time={changedAt} />. Earlier visits may be identified differently now.
          </Alert>
        )}
        {isOwner ? (
          <PreviewForm projectId={project.id} agent={agent} isAtWork={all.some(isAtWork)} onStarted={setChosen} />
        ) : (
          <Text size="sm" c="dimmed">
            Only project owners can identify visits again.
          </Text>
        )}
      </Section>
      {runs.isPending && <Loader size="sm" />}
      {runs.isError && <Failure error={runs.error} retry={() => void runs.refetch()} />}
      {shown && (
        <Report key={shown.id} project={project} run={shown} isOwner={isOwner} isChosen={shown.id === chosen} />
      )}
      {runs.isSuccess && (
        <Section title="Runs">
          {all.length === 0 ? (
            <Text size="sm">No visits of this project have been identified again yet.</Text>
          ) : (
            <DataTable
              label="Re-identifications"
              columns={[
                ...COLUMNS,
                {
                  key: 'report',
                  label: 'Report',
                  cell: (run) => (
                    <Button
                      size="compact-xs"
                      variant="default"
                      aria-pressed={run.id === shown?.id}
                      onClick={() => setChosen(run.id)}
                    >
                      Show<span className="unseen"> the report of {run.created_at}</span>
                    </Button>
                  ),
                },
              ]}
              rows={all}
              rowKey={({ id }) => id}
              owner={project.name}
              initial="created"
            />
          )}
        </Section>
      )}
    </>
  );
}

interface PreviewFormProps {
  projectId: string;
  agent: string | undefined;
  /** True while a run is in progress. A project can only have one at a time. */
  isAtWork: boolean;
  onStarted: (id: string) => void;
}

function PreviewForm({ projectId, agent, isAtWork: isBusy, onStarted }: PreviewFormProps) {
  const queryClient = useQueryClient();
  const form = useForm({
    initialValues: { from: dayBefore(SUGGESTED_DAYS), to: dayBefore(-1), agent: agent ?? '' },
    validate: {
      from: (from) => (from === '' ? 'Enter a day.' : null),
      to: (to, { from }) => (to > from ? null : 'Enter a day after the first.'),
    },
  });
  const preview = async ({ from, to, agent: token }: typeof form.values): Promise<void> => {
    const range = { from: `${from}T00:00:00Z`, to: `${to}T00:00:00Z` };
    const started = await previewReidentification(projectId, {
      ...range,
      ...(token.trim() && { agent: token.trim() }),
    });
    await queryClient.invalidateQueries(reidentificationsQuery(projectId));
    onStarted(started.id);
  };
  return (
    <ActionForm form={form} action={preview} submit="Preview changes" disabled={isBusy}>
      <Group align="start" gap="sm">
        <TextInput type="date" label="From (UTC)" {...form.getInputProps('from')} />
        <TextInput type="date" label="Before (UTC)" {...form.getInputProps('to')} />
      </Group>
      <TextInput
        label="Agent (optional)"
        description="Only changes from or to this agent, by its name in the catalog"
        maxLength={200}
        {...form.getInputProps('agent')}
      />
      {isBusy && (
        <Text size="sm" c="dimmed">
          A project has one run at a time. Wait for the present one, or cancel it below.
        </Text>
      )}
    </ActionForm>
  );
}

interface ReportProps {
  project: Project;
  run: Reidentification;
  isOwner: boolean;
  /** True if the user started this run or opened its report. */
  isChosen: boolean;
}

function Report({ project, run, isOwner, isChosen }: ReportProps) {
  const status = useRef<HTMLDivElement>(null);
  // The clicked button may be disabled, gone or far below.
  useEffect(() => {
    if (isChosen) status.current?.focus();
  }, [isChosen]);
  const report = reportOf(run);
  const isDone = run.result !== null;
  return (
    <Section
      title={`${isDone ? 'What changed' : 'What would change'}${run.agent === null ? '' : ` for ${run.agent}`}`}
      lead={`Visits of ${dayOf(run.from)} to ${dayOf(run.to)}, ${run.agent === null ? 'all changes' : `only changes from or to ${run.agent}`}.`}
    >
      <Stack gap="xs" role="status" tabIndex={-1} ref={status}>
        <Text size="sm" fw={500}>
          {stateText(run)}
        </Text>
        {isAtWork(run) && <Progress value={run.progress * 100} aria-label={STATES[run.state]} />}
        {run.error !== null && (
          <Text size="sm" c="var(--failed)">
            Paused because of an error: {run.error}
          </Text>
        )}
      </Stack>
      {isOwner && <Actions projectId={project.id} run={run} onChanged={() => status.current?.focus()} />}
      {report !== null && (
        <>
          <Text size="sm">
            {visitsText(report.looked_at)} looked at, {countText(report.changed)} {isDone ? 'changed' : 'would change'}.
            {notes(run, report).map((note) => ` ${note}`)}
          </Text>
          <ChangeTable project={project} report={report} />
        </>
      )}
    </Section>
  );
}

function notes({ state, result }: Reidentification, report: NonNullable<Reidentification['preview']>): string[] {
  const kept = Object.values(report.kept_steps).reduce((sum, visits) => sum + visits, 0);
  return [
    state === 'previewed' && report.changed === 0 && 'There is nothing to apply.',
    state === 'canceled' && result !== null && 'These stay changed, and the other visits stay as they were.',
    kept > 0 &&
      `For ${countText(kept)} ${kept === 1 ? 'check' : 'checks'} that cannot be repeated, the earlier outcome counts.`,
    report.by_user_agent > 0 && `${visitsText(report.by_user_agent)} identified by User-Agent alone.`,
    report.past_retention > 0 &&
      `${visitsText(report.past_retention)} left unchanged: visits of what they would become are not kept for so long.`,
  ].filter((note) => note !== false);
}

const ACTIONS: Record<ReidentificationAction, string> = {
  apply: 'Apply changes',
  pause: 'Pause',
  resume: 'Resume',
  cancel: 'Cancel',
};

interface ActionsProps {
  projectId: string;
  run: Reidentification;
  /** Called after an action, whose button is gone by then. */
  onChanged: () => void;
}

function Actions({ projectId, run, onChanged }: ActionsProps) {
  const queryClient = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const change = async (action: ReidentificationAction): Promise<void> => {
    await changeReidentification(projectId, run.id, action);
    // The counts on all pages can change.
    await queryClient.invalidateQueries({ queryKey: ['projects', projectId] });
    onChanged();
  };
  const changing = useMutation({ mutationFn: change });
  const changed = run.preview?.changed ?? 0;
  const possible: ReidentificationAction[] = isAtWork(run)
    ? [run.is_paused ? 'resume' : 'pause', 'cancel']
    : run.state === 'previewed' && changed > 0
      ? ['apply']
      : [];
  if (possible.length === 0) return null;
  return (
    <>
      <Group gap="xs">
        {possible.map((action) => (
          <Button
            key={action}
            size="xs"
            variant={action === 'apply' ? 'filled' : 'default'}
            disabled={changing.isPending}
            onClick={() => (action === 'apply' ? setAsking(true) : changing.mutate(action))}
          >
            {ACTIONS[action]}
          </Button>
        ))}
      </Group>
      {changing.isError && <Failure error={changing.error} />}
      {isAsking && (
        <Confirm
          title={`Change ${visitsText(changed)}?`}
          label="Apply changes"
          action={() => change('apply')}
          onClose={() => setAsking(false)}
        >
          This changes the visits and their counts for everyone in the project. Each visit keeps how it was first
          identified.
        </Confirm>
      )}
    </>
  );
}
