import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { paymentsQuery } from '../../api/payments.js';
import { describeComparison, toComparedRange } from '../../range/comparison.js';
import { describeRange } from '../../range/describe-range.js';
import { linkedRange } from '../../range/range.js';
import { RangePage } from '../../range/range-page.js';
import { RangeSkeleton } from '../../range/range-skeleton.js';
import { useRangePage } from '../../range/use-range-page.js';
import { EmptyState } from '../../ui/empty-state.js';
import { TextLink } from '../../ui/text-link.js';
import { PaymentAnswer } from './answer.js';
import { PaymentFigures } from '../../payments/figures.js';
import { PaymentChart } from './payment-chart.js';
import { PaymentTabs } from './payment-tabs.js';
import type { PaidCrawlingSearch } from './search.js';

/** Almost 30 days, because a change to daylight saving time shortens them by an hour. */
const MONTH_MS = 29 * 86_400_000;
const route = getRouteApi('/app/projects/$projectId/paid-crawling');

export function PaidCrawlingPage() {
  const { project, projectId, search, shown, change, head } = useRangePage<PaidCrawlingSearch>('Paid crawling', route);
  const query = useQuery(paymentsQuery(projectId, shown));
  const compared = toComparedRange(shown);
  const { data: previous } = useQuery({ ...paymentsQuery(projectId, compared ?? shown), enabled: compared !== null });
  return (
    <RangePage
      {...head}
      answer={query}
      isCompared
      errorTitle="Couldn't load payments"
      skeleton={<RangeSkeleton head={145} />}
    >
      {(report) => {
        if (report.agents.length === 0) {
          return (
            <EmptyState title="No agents were asked to pay in this range">
              {Date.parse(shown.to) - Date.parse(shown.from) < MONTH_MS ? (
                <TextLink from="/projects/$projectId/paid-crawling" to="." search={{ range: '30d' as const }}>
                  View the last 30 days
                </TextLink>
              ) : (
                'Choose a longer range'
              )}
              , or charge agents for pages with a rule in your{' '}
              <TextLink to="/projects/$projectId/policy" params={{ projectId }}>
                policy
              </TextLink>
              .
            </EmptyState>
          );
        }
        return (
          <Stack>
            <PaymentAnswer report={report} when={describeRange(search)} />
            <PaymentFigures
              project={project}
              report={report}
              previous={previous?.total}
              before={describeComparison(search, shown.timeZone)}
            />
            <PaymentChart projectId={projectId} report={report} search={search} shown={shown} onChange={change} />
            <PaymentTabs
              project={project}
              report={report}
              linked={linkedRange(search, report)}
              timeZone={shown.timeZone}
            />
          </Stack>
        );
      }}
    </RangePage>
  );
}
