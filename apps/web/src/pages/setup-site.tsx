import { useForm } from '@mantine/form';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { client, data } from '../api/client.js';
import { projectsQuery } from '../api/queries.js';
import { PublicLayout } from '../shell/public-layout.js';
import { ActionForm } from '../ui/action-form.js';
import { Failure } from '../ui/failure.js';
import { TextLink } from '../ui/text-link.js';
import { getBrowserTimeZone } from '../ui/time-zones.js';
import { completeAddress } from '../ui/site-address.js';
import { SITE_RULES, SiteFields } from './site-fields.js';

/** Setup step that configures the first project's site. The project itself is created at the first start. */
export function SetupSite() {
  const projects = useQuery(projectsQuery);
  const queryClient = useQueryClient();
  const router = useRouter();
  const [firstProject] = projects.data ?? [];
  const form = useForm({
    initialValues: { site_address: '', name: '', time_zone: getBrowserTimeZone() },
    validate: SITE_RULES,
  });
  const save = async ({ name, site_address: site, time_zone }: typeof form.values): Promise<void> => {
    const body = { name: name.trim(), site_address: completeAddress(site), time_zone };
    const { id } =
      firstProject === undefined
        ? await data(client.POST('/api/projects', { body }))
        : await data(client.PATCH('/api/projects/{id}', { params: { path: { id: firstProject.id } }, body }));
    await queryClient.invalidateQueries({ queryKey: projectsQuery.queryKey });
    await router.navigate({ to: '/projects/$projectId/get-started', params: { projectId: id }, replace: true });
  };
  return (
    <PublicLayout title="Your site" lead="A project collects the visits to one site. You can change all of this later.">
      {projects.isError && <Failure error={projects.error} retry={() => void projects.refetch()} />}
      <ActionForm
        form={form}
        action={save}
        submit="Continue"
        disabled={!projects.isSuccess}
        aside={
          <TextLink to="/projects" size="sm">
            Skip
          </TextLink>
        }
      >
        <SiteFields form={form} />
      </ActionForm>
    </PublicLayout>
  );
}
