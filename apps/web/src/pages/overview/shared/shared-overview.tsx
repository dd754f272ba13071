import { Card, Stack } from '@mantine/core';
import { useState } from 'react';
import type { Overview } from '../../../api/statistics.js';
import { toComparedSeries } from '../../../charts/chart.js';
import { TimeChart } from '../../../charts/time-chart.js';
import { buildTypeSeries } from '../../../charts/type-series.js';
import { AGENT_TYPES } from '../../../ui/agent-types.js';
import { Headline } from '../headline.js';
import { TopLists } from '../top-lists.js';

/** Shows the overview without links because viewers can't open other pages. */
export function SharedOverview({ overview, before }: { overview: Overview; before: string }) {
  const [isTable, setTable] = useState(false);
  const { time_zone: timeZone, bucket } = overview;
  const { series, items, previous } = buildTypeSeries(overview.series, AGENT_TYPES, false, overview.previous_series);
  const commonProps = { overview, links: null, before, hasUnknown: false };
  return (
    <Stack>
      <div>
        <Headline {...commonProps} chart={null} />
      </div>
      <Card withBorder>
        <TimeChart
          title="Visits by agent type"
          series={series}
          items={items}
          comparison={toComparedSeries(before, previous)}
          times={{ bucket, projectZone: timeZone, timeZone }}
          range={overview}
          isTable={isTable}
          onTable={setTable}
        />
      </Card>
      <TopLists {...commonProps} />
    </Stack>
  );
}
