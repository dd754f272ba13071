import { Alert, Button, Card, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useLocation } from '@tanstack/react-router';
import { lazy, Suspense, type ReactNode } from 'react';
import type { Project } from '../api/client.js';
import type { ProjectSummary } from '../api/client.js';
import { projectsQuery, sessionQuery, summariesQuery } from '../api/queries.js';
import type { FilterSet } from '../filters/filter-set.js';
import { toFilters } from '../filters/visit-filters.js';
import { formatPercent } from '../format/change.js';
import { formatCount } from '../format/count.js';
import { listLink } from '../range/list-link.js';
import { Answer } from '../ui/answer.js';
import { AnswerSkeleton } from '../ui/answer-skeleton.js';
import { Columns } from '../ui/columns.js';
import { DemoBadge } from '../ui/demo-badge.js';
import { EmptyState } from '../ui/empty-state.js';
import { Failure } from '../ui/failure.js';
import { Icon } from '../ui/icon.js';
import { RelativeTime } from '../ui/relative-time.js';
import { PageHeader } from '../ui/page-header.js';
import { usePageTitle } from '../ui/use-page-title.js';
import { Sparkline } from '../ui/sparkline.js';
import { TextLink } from '../ui/text-link.js';
import { Stat } from '../ui/stat.js';
import classes from './projects.module.css';

/** Heights of a project with visits and one without, in pixels. Usually, the first has visits. */
const [CARD_HEIGHT, NEW_CARD_HEIGHT] = [206, 141];
const NewProject = lazy(() => import('./new-project.js'));
const route = getRouteApi('/app/projects');

export function Projects() {
  usePageTitle('Projects');
  const { create } = route.useSearch();
  const navigate = route.useNavigate();
  const session = useQuery(sessionQuery);
  const projects = useQuery(projectsQuery);
  const summaries = useQuery(summariesQuery);
  const { deletedProject } = useLocation({ select: ({ state }) => state });
  const mayCreate = session.data?.user?.is_admin ?? false;
  const open = (isOpen: boolean): void => void navigate({ search: { create: isOpen ? true : undefined } });
  return (
    <Stack>
      <PageHeader
        title="Projects"
        actions={
          mayCreate && (
            <Button size="xs" leftSection={<Icon name="plus" size={14} />} onClick={() => open(true)}>
              New project
            </Button>
          )
        }
      />
      {deletedProject !== undefined && (
        <Alert variant="outline" color="gray" role="status">
          “{deletedProject}” was deleted. Its visits are being deleted in the background. This can take a few minutes.
        </Alert>
      )}
      {projects.isPending && <AnswerSkeleton />}
      {projects.isSuccess && projects.data.length > 0 && (
        <ProjectsAnswer projects={projects.data} summaries={summaries.data} />
      )}
      {projects.isError && (
        <Failure error={projects.error} title="Couldn't load the projects" retry={() => void projects.refetch()} />
      )}
      {projects.data?.length === 0 && (
        <EmptyState title="No projects yet">
          {mayCreate
            ? 'A project collects the visits to one site. Create your first project.'
            : 'You’re not a member of any project. Ask a project owner for an invitation.'}
        </EmptyState>
      )}
      {summaries.isError && projects.isSuccess && (
        <Failure
          error={summaries.error}
          title="Couldn't load the visit counts"
          retry={() => void summaries.refetch()}
        />
      )}
      <Columns cols={{ base: 1, sm: 2, xl: 3 }}>
        {(projects.isPending || (summaries.isPending && projects.isSuccess)) &&
          Array.from({ length: projects.data?.length ?? 1 }, (_, index) => (
            <Skeleton key={index} h={index === 0 ? CARD_HEIGHT : NEW_CARD_HEIGHT} radius="md" animate={false} />
          ))}
        {!summaries.isPending &&
          withSummaries(projects.data ?? [], summaries.data ?? []).map(([project, summary]) => (
            <ProjectCard key={project.id} project={project} summary={summary} />
          ))}
      </Columns>
      {mayCreate && create && (
        <Suspense>
          <NewProject onClose={() => open(false)} />
        </Suspense>
      )}
    </Stack>
  );
}

/** Pairs projects with their summaries. The one with the most failures comes first, and ones without visits come last. */
function withSummaries(projects: readonly Project[], summaries: readonly ProjectSummary[]) {
  return projects
    .map((project) => [project, summaries.find(({ project_id: id }) => id === project.id)] as const)
    .toSorted(
      ([, one], [, other]) =>
        Number(isWithoutVisits(one)) - Number(isWithoutVisits(other)) ||
        (other?.verification_failed ?? 0) - (one?.verification_failed ?? 0),
    );
}

const isWithoutVisits = (summary: ProjectSummary | undefined): boolean => summary?.last_visit_at === null;

interface ProjectsAnswerProps {
  projects: readonly Project[];
  /** Undefined while they're loading. */
  summaries: readonly ProjectSummary[] | undefined;
}

/** Sums up the visits to all sites. Links to projects that aren't connected yet. */
function ProjectsAnswer({ projects, summaries }: ProjectsAnswerProps) {
  if (summaries === undefined) return <AnswerSkeleton />;
  const visits = summaries.reduce((sum, summary) => sum + summary.agent_visits, 0);
  const failed = summaries.reduce((sum, summary) => sum + summary.verification_failed, 0);
  const sites = summaries.filter((summary) => summary.agent_visits > 0).length;
  const newIds = new Set(summaries.filter((summary) => summary.last_visit_at === null).map(({ project_id: id }) => id));
  const unconnected = projects.filter(({ id }) => newIds.has(id));
  const [first] = unconnected;
  const failing = summaries.filter((summary) => summary.verification_failed > 0);
  // A list shows the visits to one project, so the cards link to each of several.
  const onlyFailing = failing.length === 1 ? failing[0] : undefined;
  return (
    <Answer
      notes={
        first !== undefined && (
          <p>
            <TextLink to="/projects/$projectId/get-started" params={{ projectId: first.id }} inherit>
              {first.name}
            </TextLink>
            {unconnected.length === 1
              ? ' isn’t connected yet.'
              : ` and ${formatCount(unconnected.length - 1)} more aren’t connected yet.`}
          </p>
        )
      }
    >
      {visits === 0
        ? 'No agent visited your sites in the last 24 hours.'
        : `Agents made ${formatCount(visits)} ${visits === 1 ? 'visit' : 'visits'} to ${sites === 1 ? 'one site' : `${formatCount(sites)} sites`} in the last 24 hours. `}
      {visits > 0 &&
        (failed === 0 ? (
          'None'
        ) : onlyFailing === undefined ? (
          formatCount(failed)
        ) : (
          <TextLink
            {...listLink(onlyFailing.project_id, { range: '24h' })(toFilters({ result: ['verification_failed'] }))}
            inherit
          >
            {formatCount(failed)}
          </TextLink>
        ))}
      {visits > 0 && ' failed verification.'}
    </Answer>
  );
}

function ProjectCard({ project, summary }: { project: Project; summary: ProjectSummary | undefined }) {
  const { agent_visits: agentVisits = 0, verified = 0, verification_failed: failed = 0 } = summary ?? {};
  const isNew = isWithoutVisits(summary);
  return (
    <Card withBorder className={classes['card']}>
      <div>
        <Title order={2}>
          <Link
            to={isNew ? '/projects/$projectId/get-started' : '/projects/$projectId/overview'}
            params={{ projectId: project.id }}
            className={classes['link']}
          >
            {project.name}
          </Link>
          {project.is_demo && <DemoBadge />}
        </Title>
        <Text size="sm" c="dimmed">
          {project.site_address ?? 'No site address'}
        </Text>
        <Text size="sm" c="dimmed" mih="1lh">
          {summary &&
            (summary.last_visit_at === null ? (
              'No visits yet'
            ) : (
              <>
                Last visit <RelativeTime time={summary.last_visit_at} />
              </>
            ))}
        </Text>
      </div>
      {isNew && (
        <Button
          component={Link}
          to={`/projects/${project.id}/get-started`}
          size="xs"
          variant="default"
          mt="md"
          className={classes['connect'] ?? ''}
        >
          Connect<span className="unseen"> {project.name}</span>
        </Button>
      )}
      {summary && !isNew && (
        <>
          <Group gap="xl" mt="md" mb="sm">
            <Stat
              label="Agent visits, 24 h"
              value={
                <VisitsLink project={project} filters={{ not_result: ['unknown_agent'] }} what="agent visits">
                  {formatCount(agentVisits)}
                </VisitsLink>
              }
            />
            <Stat
              label="Verified"
              value={
                verified + failed === 0 ? (
                  formatPercent(null)
                ) : (
                  <VisitsLink project={project} filters={{ result: ['verified'] }} what="verified">
                    {formatPercent(verified / agentVisits)}
                  </VisitsLink>
                )
              }
            />
            <Stat
              label="Failed"
              value={
                failed === 0 ? (
                  0
                ) : (
                  <VisitsLink
                    project={project}
                    filters={{ result: ['verification_failed'] }}
                    what="failed verification"
                  >
                    <span className={classes['failed']}>{formatCount(failed)}</span>
                  </VisitsLink>
                )
              }
            />
          </Group>
          <Sparkline
            values={summary.hours}
            label={`Agent visits in the last 24 hours: ${summary.hours.join(', ')}`}
            height={44}
            isFullWidth
          />
        </>
      )}
    </Card>
  );
}

interface VisitsLinkProps {
  project: Project;
  filters: FilterSet;
  /** Name of the count for screen readers. */
  what: string;
  children: ReactNode;
}

/** Number that links to its visits in the last 24 hours. */
const VisitsLink = ({ project, filters, what, children }: VisitsLinkProps) => (
  <TextLink
    {...listLink(project.id, { range: '24h' })(toFilters(filters))}
    inherit
    underline="hover"
    c="inherit"
    className={classes['number'] ?? ''}
  >
    {children}
    <span className="unseen">
      {' '}
      {what} in {project.name}
    </span>
  </TextLink>
);
