import { Button, Skeleton, Stack } from '@mantine/core';
import { useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { client, data, toErrorMessage, type Project } from '../../api/client.js';
import { projectQuery } from '../../api/queries.js';
import { projectReportQuery, type ProjectReport } from '../../api/reports.js';
import { notify } from '../../notices/notices.js';
import { Failure } from '../../ui/failure.js';
import { PageHeader } from '../../ui/page-header.js';
import { formatFullTime } from '../../ui/relative-time.js';
import { NoMailServer } from '../../ui/no-mail-server.js';
import { Section } from '../../ui/section.js';
import { usePageTitle } from '../../ui/use-page-title.js';
import { Recipients } from './recipients.js';
import { ReportPreview } from './report-preview.js';
import { ScheduleForm } from './schedule-form.js';
import classes from './reports.module.css';

const route = getRouteApi('/app/projects/$projectId/reports');

/** Preview of the project's report, with its schedule and recipients. */
export function ReportsPage() {
  const { projectId } = route.useParams();
  const { data: project } = useSuspenseQuery(projectQuery(projectId));
  usePageTitle('Reports', project.name);
  const query = useQuery(projectReportQuery(projectId));
  const isOwner = (project.role ?? 'owner') === 'owner';
  return (
    <Stack>
      <div className={classes['head']}>
        <PageHeader
          title="Reports"
          actions={
            query.isSuccess && (
              <>
                <Button size="sm" variant="default" onClick={() => window.print()}>
                  Print or save as PDF
                </Button>
                {isOwner && query.data.can_send_mail && <SendNow project={project} report={query.data} />}
              </>
            )
          }
        />
      </div>
      {query.isPending && <Skeleton h={600} animate={false} aria-label="Loading" />}
      {query.isError && (
        <Failure title="Couldn't load the report" error={query.error} retry={() => void query.refetch()} />
      )}
      {query.isSuccess && (
        <div className={classes['columns']}>
          <Section title="Preview" lead={`Subject: ${query.data.report.subject}`}>
            <ReportPreview report={query.data.report} />
          </Section>
          <div className={classes['side']}>
            {!query.data.can_send_mail && (
              <Section title="Email isn’t set up">
                <NoMailServer />
              </Section>
            )}
            <Section
              title="Schedule"
              lead={`Next report: ${formatFullTime(query.data.next_at, project.time_zone).replace(/:00(?=\s|$)/, '')} (${project.time_zone})`}
            >
              <ScheduleForm project={project} schedule={query.data.schedule} isOwner={isOwner} />
            </Section>
            <Section title="Recipients">
              <Recipients
                projectId={projectId}
                recipients={query.data.recipients}
                canSendMail={query.data.can_send_mail}
                isOwner={isOwner}
              />
            </Section>
          </div>
        </div>
      )}
    </Stack>
  );
}

function SendNow({ project, report }: { project: Project; report: ProjectReport }) {
  const send = useMutation({
    mutationFn: (to: 'me' | 'everyone') =>
      data(client.POST('/api/projects/{id}/report/send', { params: { path: { id: project.id } }, body: { to } })),
    onSuccess: ({ sent, failed }, to) =>
      notify({
        text:
          failed.length > 0
            ? `The mail server rejected the report for ${failed.join(', ')}.`
            : to === 'me'
              ? 'Sent the report to you.'
              : `Sent the report to ${sent} ${sent === 1 ? 'recipient' : 'recipients'}.`,
      }),
    onError: (error) => notify({ text: `Couldn’t send the report. ${toErrorMessage(error)}` }),
  });
  const confirmed = report.recipients.filter(({ is_confirmed: isConfirmed }) => isConfirmed).length;
  return (
    <>
      <Button size="sm" variant="default" disabled={send.isPending} onClick={() => send.mutate('me')}>
        Send to me
      </Button>
      <Button size="sm" loading={send.isPending} disabled={confirmed === 0} onClick={() => send.mutate('everyone')}>
        Send now{confirmed > 0 && ` to ${confirmed} ${confirmed === 1 ? 'recipient' : 'recipients'}`}
      </Button>
    </>
  );
}
