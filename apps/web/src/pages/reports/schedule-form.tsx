import { NativeSelect, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { client, data, type Project } from '../../api/client.js';
import { projectReportQuery, type ReportSchedule } from '../../api/reports.js';
import { SavedForm } from '../../ui/saved-form.js';
import { TimeZoneSelect } from '../../ui/time-zone-select.js';

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const FREQUENCIES = [
  { value: 'weekly', label: 'Every week' },
  { value: 'monthly', label: 'Every month, on the 1st' },
];

interface Values extends Record<string, unknown> {
  frequency: ReportSchedule['frequency'];
  weekday: string;
  time_zone: string;
}

const toValues = (schedule: ReportSchedule, project: Project): Values => ({
  frequency: schedule.frequency,
  weekday: String(schedule.weekday),
  time_zone: schedule.time_zone ?? project.time_zone,
});

export function ScheduleForm({
  project,
  schedule,
  isOwner,
}: {
  project: Project;
  schedule: ReportSchedule;
  isOwner: boolean;
}) {
  const queryClient = useQueryClient();
  const form = useForm<Values>({ initialValues: toValues(schedule, project) });
  if (!isOwner) {
    const when = schedule.frequency === 'monthly' ? 'the 1st of each month' : `${WEEKDAYS[schedule.weekday - 1]}s`;
    return (
      <Text size="sm">
        On {when} at 8:00 ({schedule.time_zone ?? project.time_zone}).
      </Text>
    );
  }
  const save = async ({ frequency, weekday, time_zone: zone }: Values): Promise<void> => {
    const body = { frequency, weekday: Number(weekday), time_zone: zone === project.time_zone ? null : zone };
    await data(client.PUT('/api/projects/{id}/report/schedule', { params: { path: { id: project.id } }, body }));
    await queryClient.invalidateQueries({ queryKey: projectReportQuery(project.id).queryKey });
  };
  return (
    <SavedForm form={form} save={save} saved="Saved." isReader={false}>
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
    </SavedForm>
  );
}
