import { Button, Grid, Group, Loader, Stack, Text, Title } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { projectQuery } from '../../api/queries.js';
import { renderedRulesQuery, rulesVersionQuery, rulesVersionsQuery } from '../../api/rules-queries.js';
import { EmptyState } from '../../ui/empty-state.js';
import { Failure } from '../../ui/failure.js';
import { usePageTitle } from '../../ui/use-page-title.js';
import { PathTester } from './path-tester.js';
import { RulesDiff } from './rules-diff.js';
import { RulesFile } from './rules-file.js';
import { RulesTrial } from './rules-trial.js';
import {
  DEFAULT_SELECTION,
  hasAgents,
  isRobotsTxt,
  hasSelection,
  toSearch,
  toSelection,
  type RobotsSearch,
} from './selection.js';
import { SelectionForm } from './selection-form.js';
import { SignalsForm } from './signals-form.js';
import { Versions } from './versions.js';

const ProxyLines = lazy(() => import('./proxy-config.js').then((module) => ({ default: module.ProxyConfig })));
const route = getRouteApi('/app/projects/$projectId/robots');

export function Robots() {
  const { projectId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data: project } = useSuspenseQuery(projectQuery(projectId));
  usePageTitle('Robots.txt & blocking', project.name);
  const versions = useQuery(rulesVersionsQuery(projectId));
  const [newest] = versions.data ?? [];
  const savedVersion = useQuery({ ...rulesVersionQuery(projectId, newest?.id ?? ''), enabled: newest !== undefined });
  const hasSearchSelection = hasSelection(search);
  const selection = hasSearchSelection ? toSelection(search) : (newest?.selection ?? DEFAULT_SELECTION);
  // Wait until the saved selection has loaded. Otherwise, the page would show the default selection for a moment.
  const isReady = hasSearchSelection || !versions.isPending;
  const rendered = useQuery({ ...renderedRulesQuery(projectId, selection), enabled: isReady });
  const mayChange = project.role !== 'viewer';
  // Also check the text, because the file can contain usage preferences even if no agents are selected.
  const isEmpty = !hasAgents(selection) && rendered.data?.text === '';
  const updateSearch = (changes: Partial<RobotsSearch>): void =>
    void navigate({
      search: (before) => ({
        ...before,
        ...toSearch(selection),
        // The selection doesn't contain an invalid license, so keep the text that the user has typed so far.
        ...(hasSearchSelection && { license: before.license }),
        ...changes,
      }),
      replace: true,
      resetScroll: false,
    });
  if (!isReady) return <Loader size="sm" />;
  return (
    <Stack>
      <div>
        <Title order={1}>Robots.txt & blocking</Title>
        <Text c="dimmed" size="sm" maw={720}>
          Choose what agents may fetch. Generate robots.txt lines, which well-behaved agents obey, or server
          configuration that blocks the rest.
        </Text>
      </div>
      <Grid gap="md">
        <Grid.Col span={{ base: 12, lg: 5 }}>
          <Stack>
            <SelectionForm selection={selection} onChange={updateSearch} />
            {isRobotsTxt(selection.format) && (
              <SignalsForm
                selection={selection}
                license={(hasSearchSelection ? search.license : selection.license) ?? ''}
                onChange={updateSearch}
              />
            )}
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <Stack>
            {versions.isError && (
              <Failure
                error={versions.error}
                title="Couldn't load the saved versions"
                retry={() => void versions.refetch()}
              />
            )}
            {rendered.isError && (
              <Failure error={rendered.error} title="Couldn't render the rules" retry={() => void rendered.refetch()} />
            )}
            {rendered.isPending && <Loader size="sm" aria-label="Rendering" />}
            {rendered.data && isEmpty && (
              <EmptyState title="No agents selected">
                <Stack align="center" gap="xs">
                  Select agent types to see the file here.
                  <Button
                    size="xs"
                    variant="default"
                    onClick={() => updateSearch({ type: [...DEFAULT_SELECTION.agent_types] })}
                  >
                    Select AI Data Scraper
                  </Button>
                </Stack>
              </EmptyState>
            )}
            {rendered.data && !isEmpty && (
              <RulesFile
                projectId={projectId}
                selection={selection}
                rules={rendered.data}
                isOld={rendered.isPlaceholderData}
                mayChange={mayChange}
              />
            )}
            {isRobotsTxt(selection.format) && hasAgents(selection) && (
              <RulesTrial project={project} selection={selection} />
            )}
            {rendered.data && savedVersion.data && (
              <RulesDiff
                saved={savedVersion.data}
                selection={selection}
                text={rendered.data.text}
                isOld={rendered.isPlaceholderData}
                timeZone={project.time_zone}
                onShow={() => updateSearch(toSearch(savedVersion.data.selection))}
              />
            )}
            {rendered.data && (
              <PathTester
                text={rendered.data.text}
                format={selection.format}
                as={search.as ?? ''}
                at={search.at ?? '/'}
                onChange={updateSearch}
              />
            )}
          </Stack>
        </Grid.Col>
      </Grid>
      <Suspense fallback={<Loader size="sm" />}>
        <ProxyLines project={project} />
      </Suspense>
      {versions.data && versions.data.length > 0 && (
        <Versions
          versions={versions.data}
          timeZone={project.time_zone}
          onShow={(version) => updateSearch(toSearch(version.selection))}
        />
      )}
      {versions.data?.length === 0 && (
        <Group>
          <Text size="sm" c="dimmed">
            No saved versions yet. Save one to compare it with later files.
          </Text>
        </Group>
      )}
    </Stack>
  );
}
