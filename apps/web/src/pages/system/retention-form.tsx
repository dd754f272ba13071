import { Button, Group, NumberInput, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client, data } from '../../api/client.js';
import { systemQuery, type System } from '../../api/system-queries.js';
import { ActionForm } from '../../ui/action-form.js';
import { bytesText } from '../../format/bytes.js';
import { Confirm } from '../../ui/confirm.js';

interface RetentionFormProps {
  retention: System['retention'];
  partitions: System['disk']['partitions'];
}

/** For how many days visits are kept, and what that takes. */
export default function RetentionForm({ retention, partitions }: RetentionFormProps) {
  const { days, set_days: setDays, configured_days: configured, bytes_per_day: perDay } = retention;
  const { unknown_days: unknownDays, unknown_bytes_per_day: unknownPerDay } = retention;
  const change = useChange();
  const [asked, setAsked] = useState<number | null>(null);
  const form = useForm<{ days: number | string }>({
    initialValues: { days: days ?? '' },
    validate: { days: faultOf },
  });
  const save = (value: number | null): Promise<void> => change({ days: value });
  const entered = Number(form.values.days);
  const taken = (kept: number): number =>
    (perDay ?? 0) * kept + (unknownPerDay ?? 0) * Math.min(unknownDays ?? kept, kept);
  const lost = (kept: number): number =>
    partitions.filter(({ day }) => Date.parse(day) < Date.now() - (kept + 1) * 86_400_000).length;
  const action = async ({ days: value }: { days: number | string }): Promise<void> => {
    // Fewer days throw visits away.
    if (days !== null && Number(value) < days) setAsked(Number(value));
    else await save(Number(value));
  };
  return (
    <Stack gap="xs">
      <ActionForm form={form} action={action} submit="Save" disabled={!form.isDirty()}>
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
      </ActionForm>
      <Text size="sm" aria-live="polite">
        {perDay === null
          ? 'No visits yet, so the storage per day is unknown.'
          : isDays(entered)
            ? `${entered} ${entered === 1 ? 'day takes' : 'days take'} about ${bytesText(taken(entered))}, at ${bytesText(perDay + (unknownPerDay ?? 0))} per day recently.`
            : ''}
      </Text>
      {setDays !== null && (
        <Group>
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => (configured !== null && configured < setDays ? setAsked(0) : void save(null))}
          >
            Use RETENTION_DAYS
          </Button>
        </Group>
      )}
      <UnknownDays retention={retention} />
      <AuditDays days={retention.audit_days} />
      {asked !== null && (
        <Confirm
          title={`Keep visits for ${asked || configured} days only?`}
          label="Delete older visits"
          action={() => save(asked || null)}
          onClose={() => setAsked(null)}
        >
          Within a minute all older visits are deleted, which is {lost(asked || (configured ?? 0))} of the days listed
          below. This can't be undone. Counts are kept.
        </Confirm>
      )}
    </Stack>
  );
}

/** The same for visits of unknown visitors. */
function UnknownDays({ retention: { days, unknown_days: unknownDays } }: Pick<RetentionFormProps, 'retention'>) {
  const change = useChange();
  const [asked, setAsked] = useState<number | null>(null);
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
  const save = (value: number | null): Promise<void> => change({ unknown_days: value });
  const kept = Math.min(unknownDays ?? Infinity, days ?? Infinity);
  const action = async ({ days: value }: { days: number | string }): Promise<void> => {
    if (value !== '' && Number(value) < kept) setAsked(Number(value));
    else await save(value === '' ? null : Number(value));
  };
  return (
    <>
      <ActionForm form={form} action={action} submit="Save" disabled={!form.isDirty()}>
        <NumberInput
          label="Days for which visits of unknown visitors are kept"
          description="Leave it empty to keep them as long as other visits. Visits from before this setting existed are kept as long as others."
          placeholder="As long as others"
          {...DAYS_INPUT}
          {...form.getInputProps('days')}
        />
      </ActionForm>
      {asked !== null && (
        <Confirm
          title={`Keep visits of unknown visitors for ${asked} ${asked === 1 ? 'day' : 'days'} only?`}
          label="Delete older visits"
          action={() => save(asked)}
          onClose={() => setAsked(null)}
        >
          Within a minute all older visits of unknown visitors are deleted. This can't be undone. Counts are kept.
        </Confirm>
      )}
    </>
  );
}

/** The same for the audit log. */
function AuditDays({ days }: { days: number }) {
  const change = useChange();
  const [asked, setAsked] = useState<number | null>(null);
  const form = useForm<{ days: number | string }>({
    initialValues: { days },
    validate: {
      days: (value) =>
        isDays(Number(value)) && Number(value) >= MIN_AUDIT_DAYS
          ? null
          : `Enter a whole number from ${MIN_AUDIT_DAYS} to ${DAYS_INPUT.max}.`,
    },
  });
  const save = (value: number): Promise<void> => change({ audit_days: value });
  const action = async ({ days: value }: { days: number | string }): Promise<void> => {
    if (Number(value) < days) setAsked(Number(value));
    else await save(Number(value));
  };
  return (
    <>
      <ActionForm form={form} action={action} submit="Save" disabled={!form.isDirty()}>
        <NumberInput
          label="Days for which the audit log is kept"
          description={`At least ${MIN_AUDIT_DAYS}, so that nobody can hide what they just did`}
          {...DAYS_INPUT}
          min={MIN_AUDIT_DAYS}
          {...form.getInputProps('days')}
        />
      </ActionForm>
      {asked !== null && (
        <Confirm
          title={`Keep the audit log for ${asked} days only?`}
          label="Delete older entries"
          action={() => save(asked)}
          onClose={() => setAsked(null)}
        >
          Within an hour all older entries are deleted. This can't be undone.
        </Confirm>
      )}
    </>
  );
}

const MIN_AUDIT_DAYS = 30;
const DAYS_INPUT = { min: 1, max: 3_650, allowDecimal: false, w: 320, maw: '100%' };

const isDays = (days: number): boolean => Number.isInteger(days) && days >= DAYS_INPUT.min && days <= DAYS_INPUT.max;

const faultOf = (days: number | string): string | null =>
  isDays(Number(days)) ? null : `Enter a whole number from ${DAYS_INPUT.min} to ${DAYS_INPUT.max}.`;

/** Saves what is given, and shows what follows from it. */
function useChange(): (change: {
  days?: number | null;
  unknown_days?: number | null;
  audit_days?: number;
}) => Promise<void> {
  const queryClient = useQueryClient();
  return async (body) => {
    await data(client.PUT('/api/system/retention', { body }));
    await queryClient.invalidateQueries({ queryKey: systemQuery.queryKey });
  };
}
