import { Button, Group, NativeSelect, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client, data, type Project } from '../../api/client.js';
import { projectReportKey, type ProjectReport, type ReportSchedule } from '../../api/reports.js';
import { formatTime } from '../../format/time.js';
import { ActionForm } from '../../ui/action-form.js';
import { TimeZoneSelect } from '../../ui/time-zone-select.js';

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const FREQUENCIES = [
  { value: 'weekly', label: 'Every week' },
  { value: 'monthly', label: 'Every month, on the 1st' },
];

/** Returns text such as "Every Monday at 8:00". */
export const describeSchedule = ({ frequency, weekday }: ReportSchedule): string =>
  `${frequency === 'monthly' ? 'On the 1st of every month' : `Every ${WEEKDAYS[weekday - 1]}`} at 8:00`;

interface ScheduleProps {
  project: Project;
  report: ProjectReport;
  isOwner: boolean;
}

/** Describes when reports are sent. Owners can change it. */
export function Schedule({ project, report: { schedule, next_at: nextAt }, isOwner }: ScheduleProps) {
  const [isOpen, setOpen] = useState(false);
  const zone = schedule.time_zone ?? project.time_zone;
  if (isOpen) return <ScheduleForm project={project} schedule={schedule} onClose={() => setOpen(false)} />;
  return (
    <Group justify="space-between" wrap="nowrap" align="start">
      <div>
        <Text size="sm" fw={500}>
          {describeSchedule(schedule)}
        </Text>
        <Text size="xs" c="dimmed">
          Next: {formatTime(nextAt, zone, { weekday: 'short', month: 'short', day: 'numeric' })} · {zone}
        </Text>
      </div>
      {isOwner && (
        <Button size="compact-sm" variant="default" flex="none" onClick={() => setOpen(true)}>
          Change
        </Button>
      )}
    </Group>
  );
}

interface Values extends Record<string, unknown> {
  frequency: ReportSchedule['frequency'];
  weekday: string;
  time_zone: string;
}

interface ScheduleFormProps {
  project: Project;
  schedule: ReportSchedule;
  onClose: () => void;
}

function ScheduleForm({ project, schedule, onClose }: ScheduleFormProps) {
  const queryClient = useQueryClient();
  const form = useForm<Values>({
    initialValues: {
      frequency: schedule.frequency,
      weekday: String(schedule.weekday),
      time_zone: schedule.time_zone ?? project.time_zone,
    },
  });
  const save = async ({ frequency, weekday, time_zone: zone }: Values): Promise<void> => {
    const body = { frequency, weekday: Number(weekday), time_zone: zone === project.time_zone ? null : zone };
    await data(client.PUT('/api/projects/{id}/report/schedule', { params: { path: { id: project.id } }, body }));
    await queryClient.invalidateQueries({ queryKey: projectReportKey(project.id) });
    onClose();
  };
  return (
    <ActionForm
      form={form}
      action={save}
      submit="Save"
      aside={
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
      }
    >
      <NativeSelect label="Send" data={FREQUENCIES} {...form.getInputProps('frequency')} />
      {form.values.frequency === 'weekly' && (
        <NativeSelect
          label="Weekday"
          description="The report covers the seven days before."
          data={WEEKDAYS.map((label, index) => ({ value: String(index + 1), label }))}
          {...form.getInputProps('weekday')}
        />
      )}
      <TimeZoneSelect
        present={schedule.time_zone ?? project.time_zone}
        description="Reports are sent at 8:00."
        {...form.getInputProps('time_zone')}
      />
    </ActionForm>
  );
}
