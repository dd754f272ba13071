import { Box, Group, Stack, Text, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { ApiError, client, data } from '../../../api/client.js';
import type { ConsoleQuery } from '#libs/contracts';
import { EarlierDataContext } from '../../../range/earlier-data.js';
import { PRESET_TEXTS } from '../../../range/range.js';
import { RangeSkeleton } from '../../../range/range-skeleton.js';
import { Brand } from '../../../shell/brand.js';
import { ColorSchemeSwitch } from '../../../shell/color-scheme-switch.js';
import { Failure } from '../../../ui/failure.js';
import { usePageTitle } from '../../../ui/use-page-title.js';
import { Segments } from '../../../ui/segments.js';
import { SharedOverview } from './shared-overview.js';

const Locked = lazy(() => import('./locked.js'));

const route = getRouteApi('/shared/$secret');

type SharedRange = NonNullable<ConsoleQuery<'getSharedOverview'>['range']>;
const RANGES: readonly SharedRange[] = ['24h', '7d', '30d', '90d'];
const OPTIONS = RANGES.map((value) => ({ value, label: PRESET_TEXTS[value].label }));

/** Shows the overview to anyone with its shared link, either as a full page or embedded in another site. */
export function SharedPage() {
  const { secret } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const isEmbedded = search.embed ?? false;
  const range = RANGES.find((preset) => preset === search.range) ?? '30d';
  // Only stored in memory, so a reload requires the password again.
  const [pass, setPass] = useState<string | null>(null);
  const response = useQuery({
    queryKey: ['shared', secret, range, pass],
    queryFn: () => {
      const header = pass === null ? {} : { 'x-shared-pass': pass };
      const params = { path: { secret }, query: { range }, header };
      return data(client.GET('/api/shared/{secret}/overview', { params }));
    },
    refetchInterval: ({ state }) => (state.error === null ? 60_000 : false),
    placeholderData: keepPreviousData,
  });
  const { error, data: shared } = response;
  usePageTitle(shared?.project_name ?? 'Shared overview');
  const isLocked = error instanceof ApiError && error.status === 401;
  const selectRange = (next: string): void =>
    void navigate({ search: (now) => ({ ...now, range: next }), replace: true, resetScroll: false });
  return (
    <Box p="md" mih={isEmbedded ? undefined : '100vh'}>
      {!isEmbedded && (
        <Group component="header" justify="space-between" mb="lg">
          <Brand />
          <ColorSchemeSwitch />
        </Group>
      )}
      <Stack component="main" maw={1200} mx="auto">
        {isLocked ? (
          <Suspense>
            <Locked secret={secret} onOpen={setPass} />
          </Suspense>
        ) : (
          <>
            <Group justify="space-between" gap="xs">
              <Title order={1}>{shared?.project_name ?? 'Shared overview'}</Title>
              {shared !== undefined && (
                <Segments label="Time range" value={range} onChange={selectRange} options={OPTIONS} />
              )}
            </Group>
            {error !== null && <Failure error={error} title="Couldn't load the overview" />}
            {shared === undefined && error === null && (
              <div aria-busy="true">
                <RangeSkeleton head={{ base: 400, sm: 270, lg: 145 }} />
              </div>
            )}
            {shared !== undefined && error === null && (
              <Box aria-busy={response.isPlaceholderData} opacity={response.isPlaceholderData ? 0.6 : 1}>
                <EarlierDataContext value={shared.has_earlier_data}>
                  <SharedOverview overview={shared.overview} before={PRESET_TEXTS[range].before} />
                </EarlierDataContext>
              </Box>
            )}
            {isEmbedded && (
              <Text size="xs" c="dimmed">
                Powered by Agent Traffic
              </Text>
            )}
          </>
        )}
      </Stack>
    </Box>
  );
}
