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
  const queryClient = useQueryClient();
  const [asked, setAsked] = useState<number | null>(null);
  const form = useForm<{ days: number | string }>({
    initialValues: { days: days ?? '' },
    validate: { days: (value) => (isDays(Number(value)) ? null : 'Enter a whole number from 1 to 3650.') },
  });
  const save = async (value: number | null): Promise<void> => {
    await data(client.PUT('/api/system/retention', { body: { days: value } }));
    await queryClient.invalidateQueries(systemQuery);
  };
  const entered = Number(form.values.days);
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
          min={1}
          max={3_650}
          allowDecimal={false}
          w={320}
          maw="100%"
          {...form.getInputProps('days')}
        />
      </ActionForm>
      <Text size="sm" aria-live="polite">
        {perDay === null
          ? 'No visits yet, so the storage per day is unknown.'
          : isDays(entered)
            ? `${entered} ${entered === 1 ? 'day takes' : 'days take'} about ${bytesText(perDay * entered)}, at ${bytesText(perDay)} per day recently.`
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

const isDays = (days: number): boolean => Number.isInteger(days) && days >= 1 && days <= 3_650;
