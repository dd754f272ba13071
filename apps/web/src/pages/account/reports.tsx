import { Checkbox, Loader, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { reportSettingsQuery } from '../../api/account-queries.js';
import { client, data, type Project } from '../../api/client.js';
import { projectsQuery } from '../../api/queries.js';
import { Failure } from '../../ui/failure.js';
import { NoMailServer } from '../../ui/no-mail-server.js';
import { SavedForm } from '../../ui/saved-form.js';
import { Section } from '../../ui/section.js';
import { ACCOUNT_SECTIONS } from './sections.js';

export function Reports({ email }: { email: string }) {
  // Saving replaces the entire list, so the form must start from the current one.
  const settings = useQuery({ ...reportSettingsQuery, refetchOnMount: 'always' });
  const projects = useQuery(projectsQuery);
  const error = settings.error ?? projects.error;
  // Stays true even if a later refetch fails. Otherwise, the form would be replaced and unsaved choices would be lost.
  const isLoaded = settings.isFetchedAfterMount && projects.data !== undefined;
  return (
    <Section
      id="reports"
      title={ACCOUNT_SECTIONS.reports.label}
      lead={`A summary of each selected project, sent to ${email} on each project’s schedule.`}
    >
      {error !== null && <Failure error={error} title="Couldn't load your report settings" />}
      {error === null && !isLoaded && <Loader size="sm" />}
      {settings.data?.can_send_mail === false && <NoMailServer />}
      {settings.data?.can_send_mail && isLoaded && projects.data?.length === 0 && (
        <Text size="sm">You have no projects to report on yet.</Text>
      )}
      {settings.data?.can_send_mail && isLoaded && projects.data && projects.data.length > 0 && (
        <ReportsForm chosen={settings.data.project_ids} projects={projects.data} />
      )}
    </Section>
  );
}

function ReportsForm({ chosen, projects }: { chosen: string[]; projects: readonly Project[] }) {
  const queryClient = useQueryClient();
  // Skip deleted projects, which can't be selected.
  const selectedIds = chosen.filter((chosenId) => projects.some(({ id }) => id === chosenId));
  const form = useForm({ initialValues: { project_ids: selectedIds } });
  const save = async (body: { project_ids: string[] }): Promise<void> => {
    const saved = await data(client.PUT('/api/account/reports', { body }));
    queryClient.setQueryData(reportSettingsQuery.queryKey, saved);
  };
  return (
    <SavedForm form={form} save={save} saved="Saved." isReader={false}>
      <Checkbox.Group label="Projects" {...form.getInputProps('project_ids')}>
        <Stack gap="xs" mt="xs">
          {projects.map(({ id, name }) => (
            <Checkbox key={id} value={id} label={name} />
          ))}
        </Stack>
      </Checkbox.Group>
    </SavedForm>
  );
}
