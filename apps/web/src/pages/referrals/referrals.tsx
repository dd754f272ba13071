import { Button, Card, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { referralsQuery, type Referrals } from '../../api/statistics.js';
import { TimeChart } from '../../charts/time-chart.js';
import { OTHER_SERIES, buildTypeSeries } from '../../charts/type-series.js';
import { formatPercent } from '../../format/change.js';
import { formatCount } from '../../format/count.js';
import { Change } from '../../range/change.js';
import { describeComparison } from '../../range/comparison.js';
import { linkedRange } from '../../range/range.js';
import { RangePage } from '../../range/range-page.js';
import { RangeSkeleton } from '../../range/range-skeleton.js';
import { useRangePage } from '../../range/use-range-page.js';
import { EmptyState } from '../../ui/empty-state.js';
import { Figure } from '../../ui/figure.js';
import { Section } from '../../ui/section.js';
import type { ReferralsSearch } from './search.js';
import { AssistantTable, LandingPageTable, OperatorTable } from './tables.js';

const AssistantsDrawer = lazy(() => import('./assistants-drawer.js'));
const route = getRouteApi('/app/projects/$projectId/referrals');

export function ReferralsPage() {
  const { project, projectId, search, shown, change, head } = useRangePage<ReferralsSearch>('Referrals', route);
  const answer = useQuery(referralsQuery(projectId, shown));
  const before = describeComparison(search, shown.timeZone);
  const open = (assistants?: ReferralsSearch['assistants'], name?: string): void => change({ assistants, name });
  return (
    <>
      <RangePage
        {...head}
        answer={answer}
        isCompared
        errorTitle="Couldn't load the referrals"
        isEmpty={isEmpty}
        skeleton={<RangeSkeleton head={{ base: 300, sm: 110 }} />}
        filters={
          <Group justify="space-between" gap="xs">
            <Text size="sm" c="dimmed" maw={680}>
              People who followed a link in an AI assistant, based on <code>utm_source</code>, <code>source</code> or{' '}
              <code>ref</code> in the URL, or otherwise the Referer header.
            </Text>
            <Button size="xs" variant="default" onClick={() => open('all')}>
              Assistants
            </Button>
          </Group>
        }
      >
        {(referrals) => {
          const props = { project, referrals, linked: linkedRange(search, referrals), before };
          return (
            <Stack>
              <Figures referrals={referrals} before={before} />
              {referrals.referrals === 0 ? (
                <EmptyState title="No referrals in this range">
                  No request named an assistant. Many apps and copied links don’t reveal where people come from, so some
                  referrals may be missing.
                </EmptyState>
              ) : (
                <>
                  <Card withBorder>
                    <TimeChart
                      title="People sent by assistants"
                      {...getChartSeries(referrals)}
                      times={{ bucket: referrals.bucket, projectZone: shown.projectZone, timeZone: shown.timeZone }}
                      range={referrals}
                      onNarrow={(range) => change({ ...range, range: undefined })}
                      isTable={search.table ?? false}
                      onTable={(isTable) => change({ table: isTable || undefined }, true)}
                    />
                  </Card>
                  <Section
                    title="Assistants"
                    lead={
                      project.unknown_visitors === 'counted' &&
                      'This project only counts visits by people, so these numbers don’t link to visits.'
                    }
                  >
                    <AssistantTable {...props} />
                  </Section>
                  <Section title="Landing pages" lead="Pages that assistants sent people to.">
                    <LandingPageTable {...props} />
                  </Section>
                </>
              )}
              <Section title="Crawl to referral" lead={<Definition />}>
                {referrals.operators.length === 0 ? (
                  <Text size="sm">No assistant operator fetched pages or sent people.</Text>
                ) : (
                  <OperatorTable {...props} />
                )}
              </Section>
            </Stack>
          );
        }}
      </RangePage>
      <Suspense>
        {search.assistants !== undefined && (
          <AssistantsDrawer shown={search.assistants} name={search.name} onOpen={open} />
        )}
      </Suspense>
    </>
  );
}

const Definition = () => (
  <Stack gap={4}>
    <span>
      Pages that an operator’s agents fetched for each person its assistants sent. Only GET requests for HTML with a
      status below 400 count as fetched pages. Spoofed visits don’t count. Each number links to all visits by these
      agents with a status below 400, including other methods and files such as robots.txt.
    </span>
    <span>
      Apps, copied links and strict privacy settings hide where people come from. The actual number of people sent may
      therefore be higher, and the ratio lower. People from an operator’s own search engine, such as Google Search with
      its AI answers, can’t be distinguished and aren’t counted.
    </span>
  </Stack>
);

function Figures({ referrals, before }: { referrals: Referrals; before: string | null }) {
  const { referrals: people, previous_referrals: peopleBefore, operators } = referrals;
  const share = getShare(people, referrals.unknown_visits);
  const shareBefore = getShare(peopleBefore, referrals.previous_unknown_visits);
  const pages = operators.reduce((sum, { pages_fetched: count }) => sum + count, 0);
  const pagesBefore = operators.reduce((sum, { previous_pages_fetched: count }) => sum + count, 0);
  return (
    <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
      <Figure label="People sent" what="Lower bound: many clients hide the referrer" value={formatCount(people)}>
        <Change current={people} previous={peopleBefore} before={before} />
      </Figure>
      <Figure
        label="Share of unknown visitors"
        what="Share of visits by people and unlisted bots"
        value={formatPercent(share)}
      >
        <Change current={share} previous={shareBefore} isShare before={before} />
      </Figure>
      <Figure label="Pages fetched" what="By the operators below" value={formatCount(pages)}>
        <Change current={pages} previous={pagesBefore} before={before} />
      </Figure>
    </SimpleGrid>
  );
}

const getShare = (people: number, visits: number): number | null => (visits === 0 ? null : people / visits);

/** Returns one series for each top assistant and one for all others. */
function getChartSeries({ series: items, assistants }: Referrals) {
  const byType = items.map(({ by_assistant, ...item }) => ({ ...item, by_type: by_assistant }));
  const names = assistants.map(({ assistant }) => assistant);
  const { series, items: shown } = buildTypeSeries(byType, names, false);
  return {
    items: shown,
    series: series.map((entry) => (entry.key === OTHER_SERIES ? { ...entry, label: 'Other assistants' } : entry)),
  };
}

const isEmpty = ({ unknown_visits: visits, referrals, operators }: Referrals): boolean =>
  visits === 0 && referrals === 0 && operators.length === 0;
