import { Button, Card, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { referralsQuery, type Referrals } from '../../api/statistics.js';
import { TimeChart } from '../../charts/time-chart.js';
import { OTHER_SERIES, typeSeries } from '../../charts/type-series.js';
import { percentText } from '../../format/change.js';
import { countText } from '../../format/count.js';
import { Change } from '../../range/change.js';
import { beforeText } from '../../range/comparison.js';
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

/** People sent by AI assistants, and pages fetched by the assistants' operators. */
export function ReferralsPage() {
  const { project, projectId, search, shown, change, head } = useRangePage<ReferralsSearch>('Referrals', route);
  const answer = useQuery(referralsQuery(projectId, shown));
  const before = beforeText(search, shown.timeZone);
  const open = (assistants?: ReferralsSearch['assistants'], name?: string): void => change({ assistants, name });
  return (
    <>
      <RangePage
        {...head}
        answer={answer}
        isCompared
        failed="The referrals can't be shown"
        isEmpty={isEmpty}
        skeleton={<RangeSkeleton head={{ base: 300, sm: 110 }} />}
        filters={
          <Group justify="space-between" gap="xs">
            <Text size="sm" c="dimmed" maw={680}>
              People who followed a link in an AI assistant, told by <code>utm_source</code>, <code>source</code> or{' '}
              <code>ref</code> in the address, or else by the Referer header.
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
                  No visitor’s request named an assistant. Many apps and copied links don’t say where people come from,
                  so some may have come all the same.
                </EmptyState>
              ) : (
                <>
                  <Card withBorder>
                    <TimeChart
                      title="People sent by assistants"
                      {...seriesOf(referrals)}
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
                      'Visits of people are only counted in this project, so numbers of people don’t lead to visits.'
                    }
                  >
                    <AssistantTable {...props} />
                  </Section>
                  <Section title="Landing pages" lead="The pages that assistants sent people to.">
                    <LandingPageTable {...props} />
                  </Section>
                </>
              )}
              <Section title="Crawl to referral" lead={<Definition />}>
                {referrals.operators.length === 0 ? (
                  <Text size="sm">No operator of an assistant fetched a page or sent anybody.</Text>
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
      Pages that an operator’s agents fetched for each person its assistants sent. Pages fetched are GET requests for
      HTML that were answered below 400; spoofed visits don’t count. A number leads to all visits of these agents below
      400, so also to those for files, such as robots.txt, and by other methods.
    </span>
    <span>
      People sent are at least this many: apps, copied links and strict privacy settings hide where people come from, so
      the true ratio is at most what is shown. People from an operator’s search engine, such as Google Search with its
      AI answers, can’t be told apart and aren’t counted.
    </span>
  </Stack>
);

function Figures({ referrals, before }: { referrals: Referrals; before: string | null }) {
  const { referrals: people, previous_referrals: peopleBefore, operators } = referrals;
  const share = shareOf(people, referrals.unknown_visits);
  const shareBefore = shareOf(peopleBefore, referrals.previous_unknown_visits);
  const pages = operators.reduce((sum, { pages_fetched: count }) => sum + count, 0);
  const pagesBefore = operators.reduce((sum, { previous_pages_fetched: count }) => sum + count, 0);
  return (
    <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
      <Figure label="People sent" what="At least: many clients don’t say" value={countText(people)}>
        <Change current={people} previous={peopleBefore} before={before} />
      </Figure>
      <Figure
        label="Share of unknown visitors"
        what="Of the visits of people and unlisted bots"
        value={percentText(share)}
      >
        <Change current={share} previous={shareBefore} isShare before={before} />
      </Figure>
      <Figure label="Pages fetched" what="By the operators below" value={countText(pages)}>
        <Change current={pages} previous={pagesBefore} before={before} />
      </Figure>
    </SimpleGrid>
  );
}

const shareOf = (people: number, visits: number): number | null => (visits === 0 ? null : people / visits);

/** Returns one series for each of the top assistants, and one for all others. */
function seriesOf({ series: items, assistants }: Referrals) {
  const byType = items.map(({ by_assistant, ...item }) => ({ ...item, by_type: by_assistant }));
  const names = assistants.map(({ assistant }) => assistant);
  const { series, items: shown } = typeSeries(byType, names, false);
  return {
    items: shown,
    series: series.map((one) => (one.key === OTHER_SERIES ? { ...one, label: 'Other assistants' } : one)),
  };
}

const isEmpty = ({ unknown_visits: visits, referrals, operators }: Referrals): boolean =>
  visits === 0 && referrals === 0 && operators.length === 0;
