import { Button, Skeleton, Stack } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { projectQuery } from '../../api/queries.js';
import { projectReportQuery, type ReportPeriod, type ReportSchedule } from '../../api/reports.js';
import { Failure } from '../../ui/failure.js';
import { PageHeader } from '../../ui/page-header.js';
import { NoMailServer } from '../../ui/no-mail-server.js';
import { Section } from '../../ui/section.js';
import { SmallSelect } from '../../ui/small-select.js';
import { usePageTitle } from '../../ui/use-page-title.js';
import { Recipients } from './recipients.js';
import { ReportPreview } from './report-preview.js';
import { Schedule } from './schedule.js';
import { SendNow } from './send-now.js';
import { PERIOD_LABELS } from './search.js';
import classes from './reports.module.css';

const route = getRouteApi('/app/projects/$projectId/reports');

const PERIOD_OPTIONS = Object.entries(PERIOD_LABELS).map(([value, label]) => ({ value, label }));

const toScheduledPeriod = ({ frequency }: ReportSchedule): ReportPeriod =>
  frequency === 'monthly' ? 'last_month' : 'last_week';

/** Preview of the project's report, with its schedule and recipients. */
export function ReportsPage() {
  const { projectId } = route.useParams();
  const { period } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: project } = useSuspenseQuery(projectQuery(projectId));
  usePageTitle('Reports', project.name);
  const query = useQuery(projectReportQuery(projectId, period));
  const isOwner = (project.role ?? 'owner') === 'owner';
  return (
    <Stack>
      <div className={classes['head']}>
        <PageHeader
          title="Reports"
          actions={
            query.isSuccess && (
              <>
                <SmallSelect
                  aria-label="Period"
                  options={PERIOD_OPTIONS}
                  value={period ?? toScheduledPeriod(query.data.schedule)}
                  onChange={(chosen) =>
                    void navigate({ search: { period: chosen as ReportPeriod }, replace: true, resetScroll: false })
                  }
                />
                <Button size="xs" variant="default" onClick={() => window.print()}>
                  Save as PDF
                </Button>
                {isOwner && query.data.can_send_mail && (
                  <SendNow project={project} report={query.data} period={period} />
                )}
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
          <ReportPreview report={query.data.report} isBusy={query.isPlaceholderData} />
          <div className={classes['side']}>
            <Section title="Schedule">
              {query.data.can_send_mail ? null : <NoMailServer />}
              <Schedule project={project} report={query.data} isOwner={isOwner} />
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
