import { Button, Grid, Group, Loader, Stack, Text, Title } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { projectQuery } from '../../api/queries.js';
import { renderedRulesQuery, rulesVersionQuery, rulesVersionsQuery } from '../../api/rules-queries.js';
import { EmptyState } from '../../ui/empty-state.js';
import { Failure } from '../../ui/failure.js';
import { usePageTitle } from '../../ui/page-title.js';
import { PathTester } from './path-tester.js';
import { RulesDiff } from './rules-diff.js';
import { RulesFile } from './rules-file.js';
import { RulesTrial } from './rules-trial.js';
import {
  FIRST_SELECTION,
  hasAgents,
  isRobotsTxt,
  isSelected,
  searchOf,
  selectionOf,
  type RobotsSearch,
} from './selection.js';
import { SelectionForm } from './selection-form.js';
import { SignalsForm } from './signals-form.js';
import { Versions } from './versions.js';

const ProxyLines = lazy(() => import('./proxy-lines.js').then((module) => ({ default: module.ProxyLines })));
const route = getRouteApi('/app/projects/$projectId/robots');

export function Robots() {
  const { projectId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data: project } = useSuspenseQuery(projectQuery(projectId));
  usePageTitle('Robots.txt & blocking', project.name);
  const versions = useQuery(rulesVersionsQuery(projectId));
  const [newest] = versions.data ?? [];
  const saved = useQuery({ ...rulesVersionQuery(projectId, newest?.id ?? ''), enabled: newest !== undefined });
  const isChosen = isSelected(search);
  const selection = isChosen ? selectionOf(search) : (newest?.selection ?? FIRST_SELECTION);
  // Wait for the saved selection. Otherwise, the default selection would flash first.
  const isReady = isChosen || !versions.isPending;
  const rendered = useQuery({ ...renderedRulesQuery(projectId, selection), enabled: isReady });
  const mayChange = project.role !== 'viewer';
  // A file can consist of usage statements only.
  const isEmpty = !hasAgents(selection) && rendered.data?.text === '';
  const show = (to: Partial<RobotsSearch>): void =>
    void navigate({
      search: (before) => ({
        ...before,
        ...searchOf(selection),
        // The selection omits a license that isn't valid yet.
        ...(isChosen && { license: before.license }),
        ...to,
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
          Choose what agents may fetch. Get lines for robots.txt, which well-behaved agents obey, or server
          configuration that blocks the others.
        </Text>
      </div>
      <Grid gap="md">
        <Grid.Col span={{ base: 12, lg: 5 }}>
          <Stack>
            <SelectionForm selection={selection} onChange={show} />
            {isRobotsTxt(selection.format) && (
              <SignalsForm
                selection={selection}
                license={(isChosen ? search.license : selection.license) ?? ''}
                onChange={show}
              />
            )}
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <Stack>
            {versions.isError && (
              <Failure
                error={versions.error}
                title="The saved versions can't be shown"
                retry={() => void versions.refetch()}
              />
            )}
            {rendered.isError && (
              <Failure
                error={rendered.error}
                title="The rules can't be rendered"
                retry={() => void rendered.refetch()}
              />
            )}
            {rendered.isPending && <Loader size="sm" aria-label="Rendering" />}
            {rendered.data && isEmpty && (
              <EmptyState title="No agents selected">
                <Stack align="center" gap="xs">
                  Select agent types to see the file here.
                  <Button size="xs" variant="default" onClick={() => show({ type: [...FIRST_SELECTION.agent_types] })}>
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
            {rendered.data && saved.data && (
              <RulesDiff
                saved={saved.data}
                selection={selection}
                text={rendered.data.text}
                isOld={rendered.isPlaceholderData}
                timeZone={project.time_zone}
                onShow={() => show(searchOf(saved.data.selection))}
              />
            )}
            {rendered.data && (
              <PathTester
                text={rendered.data.text}
                format={selection.format}
                as={search.as ?? ''}
                at={search.at ?? '/'}
                onChange={show}
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
          onShow={(version) => show(searchOf(version.selection))}
        />
      )}
      {versions.data?.length === 0 && (
        <Group>
          <Text size="sm" c="dimmed">
            No saved versions yet. Save one to compare later files with it.
          </Text>
        </Group>
      )}
    </Stack>
  );
}
