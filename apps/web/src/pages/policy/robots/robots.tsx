import { Button, Grid, Loader, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, useBlocker } from '@tanstack/react-router';
import { lazy, Suspense, useMemo } from 'react';
import { policyQuery } from '../../../api/policy.js';
import { projectQuery } from '../../../api/queries.js';
import { renderedRulesQuery, rulesVersionQuery, rulesVersionsQuery } from '../../../api/rules-queries.js';
import { isSameContent } from '../../../api/is-same-content.js';
import { EmptyState } from '../../../ui/empty-state.js';
import { Failure } from '../../../ui/failure.js';
import { preloadComponent } from '../../../ui/preload-component.js';
import { usePageTitle } from '../../../ui/use-page-title.js';
import { PolicyHead } from '../policy-head.js';
import type { RobotsSearch } from './search.js';
import { isRobotsTxt } from '../../../rules/robots-format.js';
import { deriveSelection, hasAgents, hasSelection, toSearch, toSelection } from './selection.js';
import { LinesForm, SelectionForm } from './selection-form.js';
import { AnswerSkeleton } from './answer-skeleton.js';
import { createSiteDraft } from './site-draft.js';
import { keptOutTypesQuery } from './kept-out-types.js';
import { useSiteRobots } from '../../../rules/use-site-robots.js';

const RobotsAnswer = preloadComponent(import('./robots-answer.js').then((module) => module.RobotsAnswer));
const RulesFile = preloadComponent(import('./rules-file.js').then((module) => module.RulesFile));
const SignalsAnswer = preloadComponent(import('./signals-answer.js').then((module) => module.SignalsAnswer));
const SignalsForm = preloadComponent(import('./signals-form.js').then((module) => module.SignalsForm));
const PathTester = lazy(() => import('./path-tester.js').then((module) => ({ default: module.PathTester })));
const RulesDiff = lazy(() => import('./rules-diff.js').then((module) => ({ default: module.RulesDiff })));
const RulesTrial = lazy(() => import('./rules-trial.js').then((module) => ({ default: module.RulesTrial })));
const Versions = lazy(() => import('./versions.js').then((module) => ({ default: module.Versions })));
const ProxyLines = lazy(() => import('./proxy-config.js').then((module) => ({ default: module.ProxyConfig })));
const PermissionsSection = lazy(() => import('./permissions.js'));
const route = getRouteApi('/app/projects/$projectId/robots');

export function Robots() {
  const { projectId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data: project } = useSuspenseQuery(projectQuery(projectId));
  usePageTitle('Policy', project.name);
  // Links to the permissions have no view.
  const view = search.view ?? (window.location.hash === '#permissions' ? 'signals' : 'robots');
  // Navigating removes the hash.
  const tab = view === 'robots' ? {} : { view };
  const versions = useQuery(rulesVersionsQuery(projectId));
  const [newest] = versions.data ?? [];
  const savedVersion = useQuery({ ...rulesVersionQuery(projectId, newest?.id ?? ''), enabled: newest !== undefined });
  const policy = useQuery(policyQuery(projectId));
  const site = useSiteRobots(projectId);
  const served = site.file?.text ?? null;
  const keptOut = useQuery({ ...keptOutTypesQuery(projectId, served ?? ''), enabled: served !== null });
  const derived = useMemo(
    () => deriveSelection(policy.data?.rules ?? [], keptOut.data ?? [], served ?? ''),
    [policy.data, keptOut.data, served],
  );
  const hasSearchSelection = hasSelection(search);
  const selection = hasSearchSelection ? toSelection(search) : (newest?.selection ?? derived);
  // Wait for the saved selection or its sources. Otherwise, the page would show another one for a moment.
  const isReady =
    hasSearchSelection ||
    (!versions.isPending && (newest !== undefined || (!policy.isPending && !site.isPending && !keptOut.isLoading)));
  const rendered = useQuery({ ...renderedRulesQuery(projectId, selection), enabled: isReady });
  const mayChange = project.role !== 'viewer';
  // Also check the text, because the file can contain usage preferences even if no agents are selected.
  const isEmpty = !hasAgents(selection) && rendered.data?.text === '' && served === null;
  const updateSearch = (changes: Partial<RobotsSearch>): void =>
    void navigate({
      search: (before) => ({
        ...before,
        ...toSearch(selection),
        // The selection doesn't contain an invalid license, so keep the text that the user has typed so far.
        ...(hasSearchSelection && { license: before.license }),
        ...changes,
        ...tab,
      }),
      replace: true,
      resetScroll: false,
    });
  const isChanged = hasSearchSelection && (newest === undefined || !isSameContent(selection, newest.selection));
  const isUnsaved = isChanged && mayChange && newest !== undefined;
  const rulesText = rendered.data?.text;
  const draft = useMemo(
    () => (rulesText === undefined || !isRobotsTxt(selection.format) ? null : createSiteDraft(served ?? '', rulesText)),
    [rulesText, served, selection.format],
  );
  useBlocker({
    // The other pages of the policy pass the selection on.
    shouldBlockFn: ({ next }) =>
      isUnsaved &&
      !hasSelection(next.search as RobotsSearch) &&
      !window.confirm('Discard your unsaved robots.txt selection?'),
    enableBeforeUnload: false,
  });
  const head = <PolicyHead projectId={projectId} view={view} search={search} />;
  if (!isReady) {
    return (
      <Stack>
        {head}
        <Skeleton h={320} animate={false} role="status" aria-label="Loading" />
      </Stack>
    );
  }
  return (
    <Stack>
      {head}
      {view === 'proxy' && (
        <Suspense fallback={<Loader size="sm" />}>
          <ProxyLines project={project} selection={selection} />
        </Suspense>
      )}
      <Suspense fallback={<AnswerSkeleton />}>
        {view === 'robots' && !site.isPending && (
          <RobotsAnswer project={project} host={site.host} served={served} search={search} />
        )}
        {view === 'signals' && !site.isPending && (
          <SignalsAnswer served={served} selection={selection} onChange={updateSearch} />
        )}
      </Suspense>
      {view !== 'proxy' && (
        <Grid gap="md">
          <Grid.Col span={{ base: 12, lg: 5 }}>
            {view === 'robots' ? (
              <SelectionForm selection={selection} served={served} onChange={updateSearch} />
            ) : isRobotsTxt(selection.format) ? (
              <Suspense fallback={<Skeleton h={420} animate={false} />}>
                <SignalsForm
                  selection={selection}
                  served={served}
                  license={(hasSearchSelection ? search.license : selection.license) ?? ''}
                  onChange={updateSearch}
                />
              </Suspense>
            ) : (
              <Text size="sm">Signals and licenses only work in robots.txt. Select a robots.txt format first.</Text>
            )}
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
                <Failure
                  error={rendered.error}
                  title="Couldn't render the rules"
                  retry={() => void rendered.refetch()}
                />
              )}
              {rendered.isPending && <Skeleton h={320} animate={false} role="status" aria-label="Rendering" />}
              {rendered.data && isEmpty && (
                <EmptyState title="No agents selected">
                  <Stack align="center" gap="xs">
                    Select agent types to see the file here.
                    <Button size="xs" variant="default" onClick={() => updateSearch({ type: ['AI Data Scraper'] })}>
                      Select AI Data Scraper
                    </Button>
                  </Stack>
                </EmptyState>
              )}
              {view === 'robots' && isEmpty && <LinesForm selection={selection} onChange={updateSearch} />}
              <Suspense fallback={<Skeleton h={320} animate={false} />}>
                {rendered.data && !isEmpty && (
                  <RulesFile
                    projectId={projectId}
                    selection={selection}
                    rules={rendered.data}
                    isOld={rendered.isPlaceholderData}
                    isSaved={newest !== undefined}
                    isChanged={isChanged}
                    draft={draft}
                    hasServed={served !== null}
                    isCut={site.file?.is_cut ?? false}
                    mayChange={mayChange}
                  />
                )}
                {view === 'robots' && !isEmpty && <LinesForm selection={selection} onChange={updateSearch} />}
                {view === 'robots' && isRobotsTxt(selection.format) && hasAgents(selection) && (
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
                {view === 'robots' && rendered.data && (
                  <PathTester
                    text={draft?.text ?? rendered.data.text}
                    format={selection.format}
                    as={search.as ?? ''}
                    at={search.at ?? '/'}
                    onChange={updateSearch}
                  />
                )}
              </Suspense>
            </Stack>
          </Grid.Col>
        </Grid>
      )}
      {view !== 'proxy' && versions.data && versions.data.length > 0 && (
        <Suspense fallback={<Loader size="sm" />}>
          <Versions
            versions={versions.data}
            timeZone={project.time_zone}
            onShow={(version) => updateSearch(toSearch(version.selection))}
          />
        </Suspense>
      )}
      {view === 'signals' && (
        <Suspense fallback={<Skeleton h={320} animate={false} />}>
          <PermissionsSection
            project={project}
            search={search}
            onChange={(changes) =>
              void navigate({
                search: (before) => ({ ...before, ...changes, ...tab }),
                replace: true,
                resetScroll: false,
              })
            }
          />
        </Suspense>
      )}
    </Stack>
  );
}
