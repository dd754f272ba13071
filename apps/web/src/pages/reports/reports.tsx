import { Box, Button, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import type { Project } from '../../api/client.js';
import { projectQuery } from '../../api/queries.js';
import {
  projectReportQuery,
  type ProjectReport,
  type ReportPeriod,
  type ReportRange,
  type ReportSchedule,
} from '../../api/reports.js';
import { addDays, startOfDay, toDay } from '../../range/zoned-day.js';
import { Disclosure } from '../../ui/disclosure.js';
import { Failure } from '../../ui/failure.js';
import { PageHeader } from '../../ui/page-header.js';
import { NoMailServer } from '../../ui/no-mail-server.js';
import { Section } from '../../ui/section.js';
import { SmallSelect } from '../../ui/small-select.js';
import { TextLink } from '../../ui/text-link.js';
import { usePageTitle } from '../../ui/use-page-title.js';
import { Recipients } from './recipients.js';
import { ReportPreview } from './report-preview.js';
import { Schedule } from './schedule.js';
import { SendNow } from './send-now.js';
import { PERIOD_LABELS, type ReportsSearch } from './search.js';
import classes from './reports.module.css';

const route = getRouteApi('/app/projects/$projectId/reports');

const CustomRange = lazy(() => import('../../range/custom-range.js'));

const CUSTOM = 'custom';
const PERIOD_OPTIONS = [
  ...Object.entries(PERIOD_LABELS).map(([value, label]) => ({ value, label })),
  { value: CUSTOM, label: 'Custom …' },
];
/** Option for the custom period that is shown. Choosing the other one changes it. */
const SHOWN = 'shown';
const SHOWN_OPTION = { value: SHOWN, label: 'Custom period' };
const DEFAULT_CUSTOM_DAYS = 7;

const toScheduledPeriod = ({ frequency }: ReportSchedule): ReportPeriod =>
  frequency === 'monthly' ? 'last_month' : 'last_week';

/** Preview of the project's report, with its schedule and recipients. */
export function ReportsPage() {
  const { projectId } = route.useParams();
  const search = route.useSearch();
  const { period, from, to } = search;
  const range = from === undefined || to === undefined ? undefined : { from, to };
  const navigate = route.useNavigate();
  const { data: project } = useSuspenseQuery(projectQuery(projectId));
  usePageTitle('Reports', project.name);
  const query = useQuery(projectReportQuery(projectId, search));
  const [isChoosing, setChoosing] = useState(false);
  const isOwner = (project.role ?? 'owner') === 'owner';
  const show = (chosen: ReportsSearch) => navigate({ search: chosen, replace: true, resetScroll: false });
  return (
    <Stack>
      <div className={classes['head']}>
        <PageHeader
          title="Reports"
          actions={
            <>
              {(query.isSuccess || range !== undefined) && (
                <Box pos="relative">
                  <SmallSelect
                    aria-label="Period"
                    options={range === undefined ? PERIOD_OPTIONS : [SHOWN_OPTION, ...PERIOD_OPTIONS]}
                    value={range !== undefined ? SHOWN : (period ?? toScheduledPeriod(query.data!.schedule))}
                    onChange={(chosen) =>
                      chosen === CUSTOM ? setChoosing(true) : void show({ period: chosen as ReportPeriod })
                    }
                  />
                  <Suspense>
                    {isChoosing && (
                      <CustomRange
                        shown={{ ...(range ?? getLastDays(project.time_zone)), timeZone: project.time_zone }}
                        onChoose={(chosen) => {
                          setChoosing(false);
                          void show(chosen);
                        }}
                        onClose={() => setChoosing(false)}
                      />
                    )}
                  </Suspense>
                </Box>
              )}
              {query.isSuccess && (
                <>
                  <Button size="xs" variant="default" onClick={() => window.print()}>
                    Print or save as PDF
                  </Button>
                  {isOwner && query.data.can_send_mail && (
                    <SendNow project={project} report={query.data} period={period} range={range} />
                  )}
                </>
              )}
            </>
          }
        />
      </div>
      {query.isPending && <Skeleton h={600} animate={false} aria-label="Loading" />}
      {query.isError && (
        <Failure title="Couldn't load the report" error={query.error} retry={() => void query.refetch()} />
      )}
      {query.isSuccess && range === undefined && (period ?? toScheduledPeriod(query.data.schedule)) === 'last_week' && (
        <Text size="sm" className={classes['head']!}>
          This report doesn’t include this week.{' '}
          <TextLink
            from="/projects/$projectId/reports"
            to="."
            search={{ period: 'this_week' as const }}
            replace
            resetScroll={false}
            inherit
          >
            View this week so far
          </TextLink>
        </Text>
      )}
      {query.isSuccess && (
        <div className={classes['columns']}>
          <ReportPreview report={query.data.report} isBusy={query.isPlaceholderData} />
          <Delivery project={project} report={query.data} isOwner={isOwner} />
        </div>
      )}
    </Stack>
  );
}

interface DeliveryProps {
  project: Project;
  report: ProjectReport;
  isOwner: boolean;
}

/** Schedule and recipients. Without a mail server, they are collapsed. */
function Delivery({ project, report, isOwner }: DeliveryProps) {
  const schedule = <Schedule project={project} report={report} isOwner={isOwner} />;
  const recipients = (
    <Recipients
      projectId={project.id}
      recipients={report.recipients}
      canSendMail={report.can_send_mail}
      isOwner={isOwner}
    />
  );
  if (!report.can_send_mail) {
    return (
      <Section title="Send by email">
        <NoMailServer />
        <Disclosure label="Schedule and recipients">
          {schedule}
          {recipients}
        </Disclosure>
      </Section>
    );
  }
  return (
    <div className={classes['side']}>
      <Section title="Schedule">{schedule}</Section>
      <Section title="Recipients">{recipients}</Section>
    </div>
  );
}

function getLastDays(timeZone: string): ReportRange {
  const today = toDay(new Date().toISOString(), timeZone);
  return {
    from: startOfDay(addDays(today, -DEFAULT_CUSTOM_DAYS), timeZone),
    to: startOfDay(today, timeZone),
  };
}
