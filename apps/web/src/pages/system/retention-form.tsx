import { Button, Group, Loader, NumberInput, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { client, versioned, type Versioned } from '../../api/client.js';
import { ifMatch } from '../../api/if-match.js';
import { retentionQuery, systemQuery, type Retention, type System } from '../../api/system-queries.js';
import type { SharedForm } from '../../ui/action-form.js';
import { bytesText } from '../../format/bytes.js';
import { Confirm } from '../../ui/confirm.js';
import { Failure } from '../../ui/failure.js';
import { Remountable, useRemount } from '../../ui/remount.js';
import { SavedForm } from '../../ui/saved-form.js';

interface RetentionFormProps {
  /** Storage per day. */
  estimates: Pick<System['retention'], 'bytes_per_day' | 'unknown_bytes_per_day'>;
  partitions: System['disk']['partitions'];
}

/** Forms for the retention of visits and of the audit log, with an estimate of the storage. */
export default function RetentionForm(props: RetentionFormProps) {
  // Fetched whenever the page opens, because saving changes that version.
  const { data: retention, error, isFetchedAfterMount } = useQuery({ ...retentionQuery, refetchOnMount: 'always' });
  // A failed refetch must not replace the forms, which may contain unsaved values.
  if (retention === undefined && error !== null) return <Failure error={error} title="The retention can't be shown" />;
  if (retention === undefined || !isFetchedAfterMount) return <Loader size="sm" />;
  return (
    <Remountable>
      <Forms retention={retention} {...props} />
    </Remountable>
  );
}

interface FormsProps extends RetentionFormProps {
  retention: Versioned<Retention>;
}

function Forms({ retention, estimates, partitions }: FormsProps) {
  const { days, set_days: setDays, configured_days: configured, unknown_days: unknownDays } = retention;
  const { bytes_per_day: perDay, unknown_bytes_per_day: unknownPerDay } = estimates;
  const { change, shared } = useChange(retention);
  const [question, ask] = useQuestion();
  const form = useForm<{ days: number | string }>({
    initialValues: { days: days ?? '' },
    validate: { days: faultOf },
  });
  const entered = Number(form.values.days);
  const taken = (kept: number): number =>
    (perDay ?? 0) * kept + (unknownPerDay ?? 0) * Math.min(unknownDays ?? kept, kept);
  const lost = (kept: number): number =>
    partitions.filter(({ day }) => Date.parse(day) < Date.now() - (kept + 1) * 86_400_000).length;
  const save = async ({ days: value }: { days: number | string }): Promise<false | void> => {
    // A shorter retention deletes visits.
    if (days !== null && Number(value) < days && !(await ask(Number(value)))) return false;
    await change({ days: Number(value) });
  };
  const reset = useMutation({
    mutationFn: async () => {
      if (configured !== null && configured < setDays! && !(await ask(configured))) return;
      const values = { days: (await change({ days: null }, null)).days ?? '' };
      form.setValues(values);
      form.resetDirty(values);
    },
  });
  return (
    <Stack gap="xs">
      <SavedForm form={form} save={save} saved="Saved." isReader={false} shared={shared}>
        <NumberInput
          label="Days for which visits are kept"
          description={
            setDays === null
              ? `From RETENTION_DAYS${configured === null ? '' : ` (${configured})`}; counts are kept forever`
              : `Set here; RETENTION_DAYS is ${configured ?? 'not known yet'}. Counts are kept forever`
          }
          {...DAYS_INPUT}
          {...form.getInputProps('days')}
        />
      </SavedForm>
      <Text size="sm" aria-live="polite">
        {perDay === null
          ? 'No visits yet, so the storage per day is unknown.'
          : isDays(entered)
            ? `${entered} ${entered === 1 ? 'day takes' : 'days take'} about ${bytesText(taken(entered))}, at ${bytesText(perDay + (unknownPerDay ?? 0))} per day recently.`
            : ''}
      </Text>
      {setDays !== null && (
        <Group>
          <Button size="compact-sm" variant="default" onClick={() => reset.mutate()}>
            Use RETENTION_DAYS
          </Button>
        </Group>
      )}
      {reset.isError && <Failure error={reset.error} />}
      <UnknownDays retention={retention} change={change} shared={shared} />
      <AuditDays days={retention.audit_days} change={change} shared={shared} />
      {question !== null && (
        <Confirm
          title={`Keep visits for ${daysText(question.days)} only?`}
          label="Delete older visits"
          action={question.accept}
          onClose={question.close}
        >
          Within a minute all older visits are deleted, which is {lost(question.days)} of the days listed below. This
          can't be undone. Counts are kept.
        </Confirm>
      )}
    </Stack>
  );
}

/** Form for the retention of unknown visitors' visits. */
function UnknownDays({ retention, change, shared }: Pick<FormsProps, 'retention'> & Changing) {
  const { days, unknown_days: unknownDays } = retention;
  const [question, ask] = useQuestion();
  const form = useForm<{ days: number | string }>({
    initialValues: { days: unknownDays ?? '' },
    validate: {
      days: (value) => {
        if (value === '') return null;
        const isMore = Number(value) > (days ?? Infinity);
        return faultOf(value) ?? (isMore ? `Enter ${days} or fewer: no visits are kept longer.` : null);
      },
    },
  });
  // The setting can change while the page is open, such as after a conflict in another form.
  const { isDirty, setValues, resetDirty } = form;
  useEffect(() => {
    if (isDirty()) return;
    const values = { days: unknownDays ?? '' };
    setValues(values);
    resetDirty(values);
  }, [unknownDays, isDirty, setValues, resetDirty]);
  const kept = Math.min(unknownDays ?? Infinity, days ?? Infinity);
  const save = async ({ days: value }: { days: number | string }): Promise<false | void> => {
    if (value !== '' && Number(value) < kept && !(await ask(Number(value)))) return false;
    await change({ unknown_days: value === '' ? null : Number(value) });
  };
  return (
    <>
      <SavedForm form={form} save={save} saved="Saved." isReader={false} shared={shared}>
        <NumberInput
          label="Days for which visits of unknown visitors are kept"
          description="Leave it empty to keep them as long as other visits."
          placeholder="As long as others"
          {...DAYS_INPUT}
          {...form.getInputProps('days')}
        />
      </SavedForm>
      {question !== null && (
        <Confirm
          title={`Keep visits of unknown visitors for ${daysText(question.days)} only?`}
          label="Delete older visits"
          action={question.accept}
          onClose={question.close}
        >
          Within a minute all older visits of unknown visitors are deleted. This can't be undone. Counts are kept.
        </Confirm>
      )}
    </>
  );
}

/** Form for the retention of the audit log. */
function AuditDays({ days, change, shared }: { days: number } & Changing) {
  const [question, ask] = useQuestion();
  const form = useForm<{ days: number | string }>({
    initialValues: { days },
    validate: {
      days: (value) =>
        isDays(Number(value)) && Number(value) >= MIN_AUDIT_DAYS
          ? null
          : `Enter a whole number from ${MIN_AUDIT_DAYS} to ${DAYS_INPUT.max}.`,
    },
  });
  const save = async ({ days: value }: { days: number | string }): Promise<false | void> => {
    if (Number(value) < days && !(await ask(Number(value)))) return false;
    await change({ audit_days: Number(value) });
  };
  return (
    <>
      <SavedForm form={form} save={save} saved="Saved." isReader={false} shared={shared}>
        <NumberInput
          label="Days for which the audit log is kept"
          description={`At least ${MIN_AUDIT_DAYS}, so that nobody can hide what they just did`}
          {...DAYS_INPUT}
          min={MIN_AUDIT_DAYS}
          {...form.getInputProps('days')}
        />
      </SavedForm>
      {question !== null && (
        <Confirm
          title={`Keep the audit log for ${question.days} days only?`}
          label="Delete older entries"
          action={question.accept}
          onClose={question.close}
        >
          Within an hour all older entries are deleted. This can't be undone.
        </Confirm>
      )}
    </>
  );
}

const MIN_AUDIT_DAYS = 30;
const DAYS_INPUT = { min: 1, max: 3_650, allowDecimal: false, w: 320, maw: '100%' };

const daysText = (days: number): string => `${days} ${days === 1 ? 'day' : 'days'}`;

const isDays = (days: number): boolean => Number.isInteger(days) && days >= DAYS_INPUT.min && days <= DAYS_INPUT.max;

const faultOf = (days: number | string): string | null =>
  isDays(Number(days)) ? null : `Enter a whole number from ${DAYS_INPUT.min} to ${DAYS_INPUT.max}.`;

interface Changing {
  /**
   * Saves settings. @param etag Version to change, or null to overwrite any version. Default: the last known version.
   */
  change: (
    body: { days?: number | null; unknown_days?: number | null; audit_days?: number },
    etag?: string | null,
  ) => Promise<Retention>;
  shared: SharedForm;
}

function useChange(retention: Versioned<Retention>): Changing {
  const queryClient = useQueryClient();
  const remount = useRemount();
  const base = useRef(retention);
  const adopt = (current: Versioned<Retention>): void => {
    base.current = current;
    queryClient.setQueryData(retentionQuery.queryKey, current);
  };
  return {
    change: async (body, etag = base.current.etag) => {
      const saved = await versioned(client.PUT('/api/system/retention', { body, ...ifMatch(etag) }));
      await queryClient.invalidateQueries(systemQuery);
      adopt(saved);
      return saved;
    },
    shared: {
      base: base.current,
      adopt: (current) => adopt(current as unknown as Versioned<Retention>),
      reload: remount,
    },
  };
}

interface Question {
  days: number;
  accept: () => Promise<void>;
  close: () => void;
}

/**
 * Asks for confirmation before data is deleted. Saving waits for the answer, so the form can show errors of the
 * request.
 */
function useQuestion(): [Question | null, (days: number) => Promise<boolean>] {
  const [question, setQuestion] = useState<Question | null>(null);
  const ask = (days: number): Promise<boolean> =>
    new Promise((answer) => {
      const close = (): void => {
        answer(false);
        setQuestion(null);
      };
      setQuestion({ days, accept: async () => answer(true), close });
    });
  return [question, ask];
}
