import { Alert, Button, Group, Loader, Progress, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Project } from '../../api/client.js';
import {
  changeReidentification,
  isRunning,
  previewReidentification,
  reidentificationsQuery,
  type Reidentification,
  type ReidentificationAction,
} from '../../api/reidentifications.js';
import { formatTime } from '../../format/time.js';
import { DayInput } from '../../range/day-input.js';
import { toDay, addDays, startOfDay } from '../../range/zoned-day.js';
import { formatCount, formatVisitCount } from '../../format/count.js';
import { ActionForm } from '../../ui/action-form.js';
import { Confirm } from '../../ui/confirm.js';
import { DataTable, type TableColumn } from '../../ui/data-table.js';
import { Failure } from '../../ui/failure.js';
import { RelativeTime } from '../../ui/relative-time.js';
import { Section } from '../../ui/section.js';
import { ChangeTable } from './history-changes.js';

/** Suggested range in days. Matches the default visit retention. */
const SUGGESTED_DAYS = 90;

const formatDay = (time: string, timeZone: string): string => formatTime(time, timeZone, { dateStyle: 'medium' });

const STATES: Record<Reidentification['state'], string> = {
  previewing: 'Previewing',
  previewed: 'Preview',
  applying: 'Applying',
  applied: 'Applied',
  canceled: 'Canceled',
};

const stateText = (run: Reidentification): string =>
  isRunning(run) ? `${STATES[run.state]}, ${getPercent(run)}%${run.is_paused ? ', paused' : ''}` : STATES[run.state];

const getPercent = ({ progress }: Reidentification): number => Math.floor(progress * 100);
/** Returns who started the run. The API only includes the names of users who still exist. */
const creatorName = ({ created_by: name }: Reidentification): string => name ?? 'API key or former user';
const getReport = ({ result, preview }: Reidentification) => result ?? preview;

const createColumns = (timeZone: string): readonly TableColumn<Reidentification>[] => [
  { key: 'created', label: 'Started', isTime: true, value: (run) => run.created_at },
  { key: 'by', label: 'Started by', value: creatorName },
  {
    key: 'range',
    label: 'Range',
    value: ({ from, to }) => `${from}/${to}`,
    cell: ({ from, to }) => (
      <>
        <time>{formatDay(from, timeZone)}</time> to&nbsp;<time>{formatDay(to, timeZone)}</time>
      </>
    ),
  },
  { key: 'agent', label: 'Agent', value: ({ agent }) => agent, cell: ({ agent }) => agent ?? 'all' },
  { key: 'looked', label: 'Checked', isOnlyExported: true, value: (run) => getReport(run)?.looked_at ?? null },
  {
    key: 'changed',
    label: 'Changed',
    isNumber: true,
    value: (run) => getReport(run)?.changed ?? null,
    cell: (run) => formatCount(getReport(run)?.changed ?? 0),
  },
  { key: 'state', label: 'State', value: stateText },
];
const NO_RUNS: readonly Reidentification[] = [];

export interface HistoryTabProps {
  project: Project;
  isOwner: boolean;
  /** Agent to preselect in the form. */
  agent: string | undefined;
}

/** Re-identifies stored visits. Owners start a preview, review its report and apply the changes. */
export default function HistoryTab({ project, isOwner, agent }: HistoryTabProps) {
  const runs = useQuery(reidentificationsQuery(project.id));
  const [selectedId, setSelectedId] = useState<string | null>(null);
  const allRuns = runs.data?.reidentifications ?? NO_RUNS;
  const selectedRun =
    allRuns.find(({ id }) => id === selectedId) ??
    allRuns.find(isRunning) ??
    allRuns.find((run) => agent === undefined || run.agent === agent);
  const changedAt = runs.data?.catalog_changed_at ?? null;
  return (
    <>
      <Section
        title="Re-identify visits"
        lead="Re-identify stored visits with the current catalog, assistants and robots.txt versions. A preview shows what would change, and nothing changes until you apply it. If a check can't be repeated, its original result is kept."
      >
        {changedAt !== null && (
          <Alert variant="outline" color="gray" title="The catalog has changed">
            It last changed <RelativeTime time={changedAt} />. Earlier visits may now be identified differently.
          </Alert>
        )}
        {isOwner ? (
          <PreviewForm project={project} agent={agent} isAtWork={allRuns.some(isRunning)} onStarted={setSelectedId} />
        ) : (
          <Text size="sm" c="dimmed">
            Only project owners can re-identify visits.
          </Text>
        )}
      </Section>
      {runs.isPending && <Loader size="sm" />}
      {runs.isError && <Failure error={runs.error} retry={() => void runs.refetch()} />}
      {selectedRun && (
        <Report
          key={selectedRun.id}
          project={project}
          run={selectedRun}
          isOwner={isOwner}
          isChosen={selectedRun.id === selectedId}
        />
      )}
      {runs.isSuccess && (
        <Section title="Runs">
          {allRuns.length === 0 ? (
            <Text size="sm">No visits in this project have been re-identified yet.</Text>
          ) : (
            <DataTable
              label="Re-identifications"
              columns={[
                ...createColumns(project.time_zone),
                {
                  key: 'report',
                  label: 'Report',
                  cell: (run) => (
                    <Button
                      size="compact-xs"
                      variant="default"
                      aria-pressed={run.id === selectedRun?.id}
                      onClick={() => setSelectedId(run.id)}
                    >
                      Show<span className="unseen"> the report from {run.created_at}</span>
                    </Button>
                  ),
                },
              ]}
              rows={allRuns}
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
  project: Project;
  agent: string | undefined;
  /** True while a run is in progress. A project can only have one run at a time. */
  isAtWork: boolean;
  onStarted: (id: string) => void;
}

function PreviewForm({
  project: { id: projectId, time_zone: timeZone },
  agent,
  isAtWork: isBusy,
  onStarted,
}: PreviewFormProps) {
  const queryClient = useQueryClient();
  const today = toDay(new Date().toISOString(), timeZone);
  const form = useForm({
    initialValues: { from: addDays(today, -SUGGESTED_DAYS), to: today, agent: agent ?? '' },
    validate: {
      to: (to, { from }) => (to >= from ? null : 'Must not be before the first day.'),
    },
  });
  const preview = async ({ from, to, agent: token }: typeof form.values): Promise<void> => {
    const range = { from: startOfDay(from, timeZone), to: startOfDay(addDays(to, 1), timeZone) };
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
        <DayInput label="First day" max={today} {...form.getInputProps('from')} />
        <DayInput label="Last day" max={today} {...form.getInputProps('to')} />
      </Group>
      <TextInput
        label="Agent (optional)"
        description="The agent’s name in the catalog. Limits the run to changes from or to this agent."
        maxLength={200}
        {...form.getInputProps('agent')}
      />
      {isBusy && (
        <Text size="sm" c="dimmed">
          A project can only have one run at a time. Wait for the current run, or cancel it below.
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
  // Move the focus here because the clicked button may be disabled, gone or far below.
  useEffect(() => {
    if (isChosen) status.current?.focus();
  }, [isChosen]);
  const report = getReport(run);
  const isDone = run.result !== null;
  return (
    <Section
      title={`${isDone ? 'What changed' : 'What would change'}${run.agent === null ? '' : ` for ${run.agent}`}`}
      lead={`Visits from ${formatDay(run.from, project.time_zone)} to ${formatDay(run.to, project.time_zone)}, ${run.agent === null ? 'all changes' : `only changes from or to ${run.agent}`}.`}
    >
      <Stack gap="xs" role="status" tabIndex={-1} ref={status}>
        <Text size="sm" fw={500}>
          {stateText(run)}
        </Text>
        {isRunning(run) && <Progress value={run.progress * 100} aria-label={STATES[run.state]} />}
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
            {formatVisitCount(report.looked_at)} checked, {formatCount(report.changed)}{' '}
            {isDone ? 'changed' : 'would change'}.{notes(run, report).map((note) => ` ${note}`)}
          </Text>
          <ChangeTable project={project} report={report} />
        </>
      )}
    </Section>
  );
}

function notes({ state, result }: Reidentification, report: NonNullable<Reidentification['preview']>): string[] {
  const keptChecks = Object.values(report.kept_steps).reduce((sum, visits) => sum + visits, 0);
  return [
    state === 'previewed' && report.changed === 0 && 'There’s nothing to apply.',
    state === 'canceled' && result !== null && 'These changes are kept, and all other visits are unchanged.',
    keptChecks > 0 &&
      `For ${formatCount(keptChecks)} ${keptChecks === 1 ? 'check' : 'checks'} that can’t be repeated, the original result is kept.`,
    report.by_user_agent > 0 && `${formatVisitCount(report.by_user_agent)} identified only by User-Agent.`,
    report.past_retention > 0 &&
      `${formatVisitCount(report.past_retention)} left unchanged because visits with their new verdict aren’t kept that long.`,
  ].filter((note) => note !== false);
}

const ACTIONS: Record<ReidentificationAction, string> = {
  apply: 'Apply changes',
  pause: 'Pause run',
  resume: 'Resume run',
  cancel: 'Cancel run',
};

interface ActionsProps {
  projectId: string;
  run: Reidentification;
  /** Called after an action, when its button is gone. */
  onChanged: () => void;
}

function Actions({ projectId, run, onChanged }: ActionsProps) {
  const queryClient = useQueryClient();
  const [isConfirming, setConfirming] = useState(false);
  const change = async (action: ReidentificationAction): Promise<void> => {
    await changeReidentification(projectId, run.id, action);
    // The counts on all pages may have changed.
    await queryClient.invalidateQueries({ queryKey: ['projects', projectId] });
    onChanged();
  };
  const changing = useMutation({ mutationFn: change });
  const changed = run.preview?.changed ?? 0;
  const availableActions: ReidentificationAction[] = isRunning(run)
    ? [run.is_paused ? 'resume' : 'pause', 'cancel']
    : run.state === 'previewed' && changed > 0
      ? ['apply']
      : [];
  if (availableActions.length === 0) return null;
  return (
    <>
      <Group gap="xs">
        {availableActions.map((action) => (
          <Button
            key={action}
            size="xs"
            variant={action === 'apply' ? 'filled' : 'default'}
            disabled={changing.isPending}
            onClick={() => (action === 'apply' ? setConfirming(true) : changing.mutate(action))}
          >
            {ACTIONS[action]}
          </Button>
        ))}
      </Group>
      {changing.isError && <Failure error={changing.error} />}
      {isConfirming && (
        <Confirm
          title={`Change ${formatVisitCount(changed)}?`}
          label="Apply changes"
          action={() => change('apply')}
          onClose={() => setConfirming(false)}
        >
          This changes the visits and their counts for everyone in the project. Each visit still records how it was
          first identified.
        </Confirm>
      )}
    </>
  );
}
