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
import { ReportPreview, toReportLink } from './report-preview.js';
import { describeSchedule, Schedule } from './schedule.js';
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
      {query.isPending && <Skeleton h={600} animate={false} role="status" aria-label="Loading" />}
      {query.isError && (
        <Failure title="Couldn't load the report" error={query.error} retry={() => void query.refetch()} />
      )}
      {query.isSuccess && (
        <>
          {range === undefined && (period ?? toScheduledPeriod(query.data.schedule)) === 'last_week' && (
            <ThisWeek projectId={projectId} />
          )}
          <Delivery project={project} report={query.data} isOwner={isOwner} />
          <ReportPreview report={query.data.report} isBusy={query.isPlaceholderData} />
        </>
      )}
    </Stack>
  );
}

/** Visits since the end of the last week, which its report doesn't include. */
function ThisWeek({ projectId }: { projectId: string }) {
  const { data } = useQuery(projectReportQuery(projectId, { period: 'this_week' }));
  const visits = data?.report.figures.find(({ label }) => label === 'Agent visits');
  return (
    <Text className={`${classes['head']} ${classes['week']}`}>
      {visits === undefined ? (
        'This report doesn’t include this week.'
      ) : (
        <>
          This week so far, agents have made{' '}
          <TextLink {...toReportLink(visits.url)} inherit>
            {visits.value} {visits.value === '1' ? 'visit' : 'visits'}
          </TextLink>
          {visits.change !== '' && ` (${visits.change} from ${data!.report.compared_with})`}.
        </>
      )}{' '}
      <TextLink
        from="/projects/$projectId/reports"
        to="."
        search={{ period: 'this_week' as const }}
        replace
        resetScroll={false}
        inherit
      >
        View this week
      </TextLink>
    </Text>
  );
}

interface DeliveryProps {
  project: Project;
  report: ProjectReport;
  isOwner: boolean;
}

/** Describes when and to whom the report is sent. Both can be changed below. */
function Delivery({ project, report, isOwner }: DeliveryProps) {
  const { can_send_mail: canSendMail, recipients } = report;
  return (
    <div className={classes['head']}>
      <Section title="Send by email" lead={canSendMail ? describeDelivery(report) : <NoMailServer />}>
        <Disclosure
          label="Schedule and recipients"
          isForcedOpen={recipients.some(
            ({ delivery }) => delivery?.state === 'sending' || delivery?.state === 'failed',
          )}
        >
          <div className={classes['columns']}>
            <Schedule project={project} report={report} isOwner={isOwner} />
            <Stack gap="sm">
              <Recipients projectId={project.id} recipients={recipients} canSendMail={canSendMail} isOwner={isOwner} />
            </Stack>
          </div>
        </Disclosure>
      </Section>
    </div>
  );
}

/** Returns text such as "Every Monday at 8:00 to boss@example.com". */
function describeDelivery({ schedule, recipients }: ProjectReport): string {
  const addresses = recipients.filter(({ is_confirmed: isConfirmed }) => isConfirmed).map(({ address }) => address);
  if (addresses.length === 0) return 'No one gets this report yet.';
  return `${describeSchedule(schedule)} to ${addresses.length === 1 ? addresses[0] : `${addresses.length} recipients`}`;
}

function getLastDays(timeZone: string): ReportRange {
  const today = toDay(new Date().toISOString(), timeZone);
  return {
    from: startOfDay(addDays(today, -DEFAULT_CUSTOM_DAYS), timeZone),
    to: startOfDay(today, timeZone),
  };
}
