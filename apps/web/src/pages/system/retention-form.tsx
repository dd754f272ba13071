import { Button, Group, Loader, NumberInput, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { client, versioned, type Versioned } from '../../api/client.js';
import { ifMatch } from '../../api/if-match.js';
import { retentionQuery, systemQuery, type Retention, type System } from '../../api/system-queries.js';
import type { SharedForm } from '../../ui/action-form.js';
import { formatBytes } from '../../format/bytes.js';
import { Confirm } from '../../ui/confirm.js';
import { Failure } from '../../ui/failure.js';
import { Remountable, useRemount } from '../../ui/remount.js';
import { SavedForm } from '../../ui/saved-form.js';

interface RetentionFormProps {
  estimates: Pick<System['retention'], 'bytes_per_day' | 'unknown_bytes_per_day'>;
  partitions: System['disk']['partitions'];
}

/** Retention settings for visits and the audit log, with an estimate of the storage they need. */
export default function RetentionForm(props: RetentionFormProps) {
  // Refetch the settings whenever the form is opened. Saving sends the ETag of the loaded version, so an old version
  // would cause a conflict.
  const { data: retention, error, isFetchedAfterMount } = useQuery({ ...retentionQuery, refetchOnMount: 'always' });
  // Only show the error if there is no data yet. If a later refetch fails, the forms stay, because they may contain
  // unsaved values.
  if (retention === undefined && error !== null)
    return <Failure error={error} title="Couldn’t load the retention settings" />;
  if (retention === undefined || !isFetchedAfterMount) return <Loader size="sm" />;
  return (
    <Remountable>
      <RetentionForms retention={retention} {...props} />
    </Remountable>
  );
}

interface FormsProps extends RetentionFormProps {
  retention: Versioned<Retention>;
}

function RetentionForms({ retention, estimates, partitions }: FormsProps) {
  const { days, set_days: overrideDays, configured_days: configuredDays, unknown_days: unknownDays } = retention;
  const { bytes_per_day: bytesPerDay, unknown_bytes_per_day: unknownBytesPerDay } = estimates;
  const { change, shared } = useRetentionChange(retention);
  const [confirmation, askToConfirm] = useConfirmation();
  const form = useForm<{ days: number | string }>({
    initialValues: { days: days ?? '' },
    validate: { days: validateDays },
  });
  const enteredDays = Number(form.values.days);
  const estimateBytes = (kept: number): number =>
    (bytesPerDay ?? 0) * kept + (unknownBytesPerDay ?? 0) * Math.min(unknownDays ?? kept, kept);
  const countDeletedDays = (kept: number): number =>
    partitions.filter(({ day }) => Date.parse(day) < Date.now() - (kept + 1) * 86_400_000).length;
  const save = async ({ days: value }: { days: number | string }): Promise<false | void> => {
    // A shorter retention deletes visits, so it needs confirmation.
    if (days !== null && Number(value) < days && !(await askToConfirm(Number(value)))) return false;
    await change({ days: Number(value) });
  };
  const reset = useMutation({
    mutationFn: async () => {
      if (configuredDays !== null && configuredDays < overrideDays! && !(await askToConfirm(configuredDays))) return;
      const values = { days: (await change({ days: null }, null)).days ?? '' };
      form.setValues(values);
      form.resetDirty(values);
    },
  });
  return (
    <Stack gap="xs">
      <SavedForm form={form} save={save} saved="Saved." isReader={false} shared={shared}>
        <NumberInput
          label="Visit retention (days)"
          description={
            overrideDays === null
              ? `Set by RETENTION_DAYS${configuredDays === null ? '' : ` (${configuredDays})`}. Counts are never deleted.`
              : `Overrides RETENTION_DAYS (${configuredDays ?? 'not known yet'}). Counts are never deleted.`
          }
          {...DAYS_INPUT_PROPS}
          {...form.getInputProps('days')}
        />
      </SavedForm>
      <Text size="sm" aria-live="polite">
        {bytesPerDay === null
          ? 'Storage can’t be estimated until the first visits arrive.'
          : isValidDays(enteredDays)
            ? `${enteredDays} ${enteredDays === 1 ? 'day of visits takes' : 'days of visits take'} up about ${formatBytes(estimateBytes(enteredDays))}, based on recent usage of ${formatBytes(bytesPerDay + (unknownBytesPerDay ?? 0))} per day${unknownDays !== null && unknownDays < enteredDays ? `, with unknown visitors kept for ${daysText(unknownDays)}` : ''}.`
            : ''}
      </Text>
      {overrideDays !== null && (
        <Group>
          <Button size="compact-sm" variant="default" onClick={() => reset.mutate()}>
            Use RETENTION_DAYS
          </Button>
        </Group>
      )}
      {reset.isError && <Failure error={reset.error} />}
      <UnknownRetentionForm retention={retention} change={change} shared={shared} />
      <AuditRetentionForm days={retention.audit_days} change={change} shared={shared} />
      {confirmation !== null && (
        <Confirm
          title={`Keep visits for only ${daysText(confirmation.days)}?`}
          label="Delete older visits"
          action={confirmation.accept}
          onClose={confirmation.close}
        >
          All older visits are deleted within a minute. That’s {countDeletedDays(confirmation.days)} of the days listed
          below. This can’t be undone. Counts aren’t affected.
        </Confirm>
      )}
    </Stack>
  );
}

function UnknownRetentionForm({ retention, change, shared }: Pick<FormsProps, 'retention'> & RetentionChange) {
  const { days, unknown_days: unknownDays } = retention;
  const [confirmation, askToConfirm] = useConfirmation();
  const form = useForm<{ days: number | string }>({
    initialValues: { days: unknownDays ?? '' },
    validate: {
      days: (value) => {
        if (value === '') return null;
        const isMore = Number(value) > (days ?? Infinity);
        return (
          validateDays(value) ?? (isMore ? `Enter ${days} or fewer. No visits are kept for longer than that.` : null)
        );
      },
    },
  });
  // If another form on this page causes a conflict, a newer value is loaded. Show it in this form, too, unless the user
  // has changed the field.
  const { isDirty, setValues, resetDirty } = form;
  useEffect(() => {
    if (isDirty()) return;
    const values = { days: unknownDays ?? '' };
    setValues(values);
    resetDirty(values);
  }, [unknownDays, isDirty, setValues, resetDirty]);
  const kept = Math.min(unknownDays ?? Infinity, days ?? Infinity);
  const save = async ({ days: value }: { days: number | string }): Promise<false | void> => {
    if (value !== '' && Number(value) < kept && !(await askToConfirm(Number(value)))) return false;
    await change({ unknown_days: value === '' ? null : Number(value) });
  };
  return (
    <>
      <SavedForm form={form} save={save} saved="Saved." isReader={false} shared={shared}>
        <NumberInput
          label="Unknown visitor retention (days)"
          description="Leave empty to keep their visits as long as all others."
          placeholder="Same as other visits"
          {...DAYS_INPUT_PROPS}
          {...form.getInputProps('days')}
        />
      </SavedForm>
      {confirmation !== null && (
        <Confirm
          title={`Keep visits by unknown visitors for only ${daysText(confirmation.days)}?`}
          label="Delete older visits"
          action={confirmation.accept}
          onClose={confirmation.close}
        >
          All older visits by unknown visitors are deleted within a minute. This can’t be undone. Counts aren’t
          affected.
        </Confirm>
      )}
    </>
  );
}

function AuditRetentionForm({ days, change, shared }: { days: number } & RetentionChange) {
  const [confirmation, askToConfirm] = useConfirmation();
  const form = useForm<{ days: number | string }>({
    initialValues: { days },
    validate: {
      days: (value) =>
        isValidDays(Number(value)) && Number(value) >= MIN_AUDIT_DAYS
          ? null
          : `Enter a whole number from ${MIN_AUDIT_DAYS} to ${DAYS_INPUT_PROPS.max}.`,
    },
  });
  const save = async ({ days: value }: { days: number | string }): Promise<false | void> => {
    if (Number(value) < days && !(await askToConfirm(Number(value)))) return false;
    await change({ audit_days: Number(value) });
  };
  return (
    <>
      <SavedForm form={form} save={save} saved="Saved." isReader={false} shared={shared}>
        <NumberInput
          label="Audit log retention (days)"
          description={`${MIN_AUDIT_DAYS} or more, so that recent actions can’t be erased.`}
          {...DAYS_INPUT_PROPS}
          min={MIN_AUDIT_DAYS}
          {...form.getInputProps('days')}
        />
      </SavedForm>
      {confirmation !== null && (
        <Confirm
          title={`Keep audit log entries for only ${confirmation.days} days?`}
          label="Delete older entries"
          action={confirmation.accept}
          onClose={confirmation.close}
        >
          All older entries are deleted within an hour. This can’t be undone.
        </Confirm>
      )}
    </>
  );
}

const MIN_AUDIT_DAYS = 30;
const DAYS_INPUT_PROPS = { min: 1, max: 3_650, allowDecimal: false, w: 320, maw: '100%' };

const daysText = (days: number): string => `${days} ${days === 1 ? 'day' : 'days'}`;

const isValidDays = (days: number): boolean =>
  Number.isInteger(days) && days >= DAYS_INPUT_PROPS.min && days <= DAYS_INPUT_PROPS.max;

const validateDays = (days: number | string): string | null =>
  isValidDays(Number(days)) ? null : `Enter a whole number from ${DAYS_INPUT_PROPS.min} to ${DAYS_INPUT_PROPS.max}.`;

interface RetentionChange {
  /**
   * Saves the given settings.
   * @param etag Expected version, or null to overwrite any version. Default: the last version loaded.
   */
  change: (
    body: { days?: number | null; unknown_days?: number | null; audit_days?: number },
    etag?: string | null,
  ) => Promise<Retention>;
  shared: SharedForm;
}

function useRetentionChange(retention: Versioned<Retention>): RetentionChange {
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

interface PendingConfirmation {
  days: number;
  accept: () => Promise<void>;
  close: () => void;
}

/**
 * Returns the open confirmation and a function that requests one. Its promise resolves to true when the user confirms
 * the deletion, or to false when they cancel.
 */
function useConfirmation(): [PendingConfirmation | null, (days: number) => Promise<boolean>] {
  const [confirmation, setConfirmation] = useState<PendingConfirmation | null>(null);
  const askToConfirm = (days: number): Promise<boolean> =>
    new Promise((resolve) => {
      const close = (): void => {
        resolve(false);
        setConfirmation(null);
      };
      setConfirmation({ days, accept: async () => resolve(true), close });
    });
  return [confirmation, askToConfirm];
}
