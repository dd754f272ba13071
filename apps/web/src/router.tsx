import { QueryCache, QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  Outlet,
  redirect,
  type ErrorComponentProps,
} from '@tanstack/react-router';
import { isSignInRefusal, type SignInRefusal } from '#libs/sign-in';
import { ApiError } from './api/client.js';
import { projectQuery, sessionQuery, summariesQuery } from './api/queries.js';
import { Failure } from './ui/failure.js';
import { NotFound } from './pages/not-found.js';
import { Shell } from './shell/shell.js';
import { readAudit } from './audit-log/search.js';
import { readAgents } from './pages/agents/search.js';
import { readCompliance } from './pages/compliance/search.js';
import { readOverview } from './pages/overview/search.js';
import { readRealtime } from './pages/realtime/search.js';
import { readVisits } from './pages/visits/search.js';
import { readFeedsSearch } from './pages/catalog/feeds/search.js';
import { readCatalogSearch } from './pages/catalog/search.js';
import { readReferrals } from './pages/referrals/search.js';
import { readSettings } from './pages/settings/tabs.js';
import { readUnlisted } from './pages/unlisted/search.js';
import { readRobotsSearch } from './pages/robots/selection.js';
import { readRange } from './range/range.js';

/** Returns true for client errors, except 429: a retry would not fix them. */
const isLasting = (error: unknown): boolean =>
  error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429;

export const queryClient = new QueryClient({
  defaultOptions: { queries: { retry: (count, error) => count < 2 && !isLasting(error) } },
  queryCache: new QueryCache({
    onError: (error, { queryKey }) => {
      if (!(error instanceof ApiError) || queryKey[0] === 'session' || queryKey[0] === 'shared') return;
      if (error.status === 401 || error.type === '/docs/problems#second-factor-required') void leave();
    },
  }),
});

/** Reloads the session, so the routes redirect to the sign-in page or the setup of a second factor. */
async function leave(): Promise<void> {
  await queryClient.invalidateQueries(sessionQuery);
  await router.invalidate();
}

/** Errors of scripts that failed to load, possibly because they belong to an earlier release. Only a reload helps. */
const missing = new WeakSet<Error>();
window.addEventListener('vite:preloadError', ({ payload }) => missing.add(payload));

function PageFailure({ error, reset }: ErrorComponentProps) {
  return missing.has(error as Error) ? (
    <Failure error="A part of this page did not load." retry={() => window.location.reload()} />
  ) : (
    <Failure error={error} retry={() => void router.invalidate().then(reset)} />
  );
}

interface Context {
  queryClient: QueryClient;
}

const root = createRootRouteWithContext<Context>()({
  component: Outlet,
  errorComponent: PageFailure,
});

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** Parses an error code. Unknown codes become `failed`, so a link can't show arbitrary text. */
function signInRefusal(value: unknown): SignInRefusal | undefined {
  if (value === undefined) return undefined;
  return typeof value === 'string' && isSignInRefusal(value) ? value : 'failed';
}

const signIn = createRoute({
  getParentRoute: () => root,
  path: 'sign-in',
  validateSearch: (search): { return_to?: string; error?: SignInRefusal } => ({
    return_to: text(search['return_to']),
    error: signInRefusal(search['error']),
  }),
  component: lazyRouteComponent(() => import('./pages/sign-in.js'), 'SignIn'),
});

const setup = createRoute({
  getParentRoute: () => root,
  path: 'setup',
  component: lazyRouteComponent(() => import('./pages/setup.js'), 'Setup'),
});

/** Second step of the setup: the site of the first project. */
const setupSite = createRoute({
  getParentRoute: () => root,
  path: 'setup/site',
  beforeLoad: async ({ context }) => {
    const session = await context.queryClient.ensureQueryData({ ...sessionQuery, revalidateIfStale: true });
    const { user, second_factor_due: isSecondFactorDue } = session;
    if (user === null || isSecondFactorDue) throw redirect({ to: '/' });
    if (!user.is_admin) throw redirect({ to: '/projects' });
  },
  component: lazyRouteComponent(() => import('./pages/setup-site.js'), 'SetupSite'),
});

const invitation = createRoute({
  getParentRoute: () => root,
  path: 'invitations/$token',
  component: lazyRouteComponent(() => import('./pages/invitation.js'), 'InvitationPage'),
});

const passwordReset = createRoute({
  getParentRoute: () => root,
  path: 'password-resets/$token',
  component: lazyRouteComponent(() => import('./pages/password-reset.js'), 'PasswordResetPage'),
});

/** Target of the link in weekly reports. */
const unsubscribe = createRoute({
  getParentRoute: () => root,
  path: 'unsubscribe',
  validateSearch: (search): { of: string } => ({ of: text(search['of']) ?? '' }),
  component: lazyRouteComponent(() => import('./pages/unsubscribe.js'), 'Unsubscribe'),
});

/** Target of the links in alert mails. */
const alertMail = createRoute({
  getParentRoute: () => root,
  path: 'alert-mail',
  validateSearch: (search): { of: string } => ({ of: text(search['of']) ?? '' }),
  component: lazyRouteComponent(() => import('./pages/alert-mail.js'), 'AlertMail'),
});

const shared = createRoute({
  getParentRoute: () => root,
  path: 'shared/$secret',
  validateSearch: (search): { embed?: true; range?: string } => ({
    embed: search['embed'] === undefined ? undefined : true,
    range: text(search['range']),
  }),
  component: lazyRouteComponent(() => import('./pages/overview/shared/shared.js'), 'SharedPage'),
});

/** Setup of a second factor, for users who are required to have one. */
const secondFactor = createRoute({
  getParentRoute: () => root,
  path: 'second-factor',
  validateSearch: (search): { return_to?: string } => ({ return_to: text(search['return_to']) }),
  component: lazyRouteComponent(() => import('./pages/account/second-factor-due.js'), 'SecondFactorDue'),
});

/** Pages that require a session. */
const app = createRoute({
  getParentRoute: () => root,
  id: 'app',
  beforeLoad: async ({ context, location }) => {
    const session = await context.queryClient.ensureQueryData({ ...sessionQuery, revalidateIfStale: true });
    if (session.second_factor_due) throw redirect({ to: '/second-factor', search: { return_to: location.href } });
    if (session.user !== null) return;
    if (session.setup_required) throw redirect({ to: '/setup' });
    throw redirect({ to: '/sign-in', search: location.href === '/' ? {} : { return_to: location.href } });
  },
  component: Shell,
});

const home = createRoute({
  getParentRoute: () => app,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/projects', replace: true });
  },
});

const projects = createRoute({
  getParentRoute: () => app,
  path: 'projects',
  validateSearch: (search): { create?: true } => ({ create: search['create'] ? true : undefined }),
  component: lazyRouteComponent(() => import('./pages/projects.js'), 'Projects'),
});

const account = createRoute({
  getParentRoute: () => app,
  path: 'account',
  component: lazyRouteComponent(() => import('./pages/account/account.js'), 'Account'),
});

const catalog = createRoute({
  getParentRoute: () => app,
  path: 'catalog',
  validateSearch: readCatalogSearch,
  component: lazyRouteComponent(() => import('./pages/catalog/catalog.js'), 'Catalog'),
});

const agentFeeds = createRoute({
  getParentRoute: () => app,
  path: 'catalog/feeds',
  validateSearch: readFeedsSearch,
  component: lazyRouteComponent(() => import('./pages/catalog/feeds/feeds.js'), 'AgentFeedsPage'),
});

const system = createRoute({
  getParentRoute: () => app,
  path: 'system',
  validateSearch: (search): { letter?: string } => ({ letter: text(search['letter']) }),
  component: lazyRouteComponent(() => import('./pages/system/system.js'), 'SystemPage'),
});

const audit = createRoute({
  getParentRoute: () => app,
  path: 'audit',
  validateSearch: readAudit,
  component: lazyRouteComponent(() => import('./pages/audit/audit.js'), 'AuditPage'),
});

/** Matches all other paths. */
const nowhere = createRoute({
  getParentRoute: () => app,
  path: '$',
  component: NotFound,
});

const project = createRoute({
  getParentRoute: () => app,
  path: 'projects/$projectId',
  // Remount pages for another project, so that input for one project is never saved in another.
  remountDeps: ({ params }) => params,
  loader: async ({ context, params }) => {
    try {
      return await context.queryClient.ensureQueryData(projectQuery(params.projectId));
    } catch (error) {
      throw error instanceof ApiError && error.status === 404 ? notFound() : error;
    }
  },
  component: Outlet,
});

const projectHome = createRoute({
  getParentRoute: () => project,
  path: '/',
  beforeLoad: async ({ context, params }) => {
    const summaries = await context.queryClient.ensureQueryData(summariesQuery);
    const isNew = summaries.find(({ project_id: id }) => id === params.projectId)?.last_visit_at === null;
    const to = isNew ? '/projects/$projectId/get-started' : '/projects/$projectId/overview';
    throw redirect({ to, params, replace: true });
  },
});

const overview = createRoute({
  getParentRoute: () => project,
  path: 'overview',
  validateSearch: readOverview,
  component: lazyRouteComponent(() => import('./pages/overview/overview.js'), 'OverviewPage'),
});

const realtime = createRoute({
  getParentRoute: () => project,
  path: 'realtime',
  validateSearch: readRealtime,
  component: lazyRouteComponent(() => import('./pages/realtime/realtime.js'), 'Realtime'),
});

const visits = createRoute({
  getParentRoute: () => project,
  path: 'visits',
  validateSearch: readVisits,
  component: lazyRouteComponent(() => import('./pages/visits/visits.js'), 'VisitsPage'),
});

const agents = createRoute({
  getParentRoute: () => project,
  path: 'agents',
  validateSearch: readAgents,
  component: lazyRouteComponent(() => import('./pages/agents/agents.js'), 'AgentsPage'),
});

const agent = createRoute({
  getParentRoute: () => project,
  path: 'agents/$agentId',
  validateSearch: readRange,
  component: lazyRouteComponent(() => import('./pages/agents/agent.js'), 'AgentPage'),
});

const verification = createRoute({
  getParentRoute: () => project,
  path: 'verification',
  validateSearch: readRange,
  component: lazyRouteComponent(() => import('./pages/verification/verification.js'), 'VerificationPage'),
});

const compliance = createRoute({
  getParentRoute: () => project,
  path: 'compliance',
  validateSearch: readCompliance,
  component: lazyRouteComponent(() => import('./pages/compliance/compliance.js'), 'CompliancePage'),
});

const referrals = createRoute({
  getParentRoute: () => project,
  path: 'referrals',
  validateSearch: readReferrals,
  component: lazyRouteComponent(() => import('./pages/referrals/referrals.js'), 'ReferralsPage'),
});

const tools = createRoute({
  getParentRoute: () => project,
  path: 'tools',
  validateSearch: readRange,
  component: lazyRouteComponent(() => import('./pages/tools/tools.js'), 'ToolsPage'),
});

const unlisted = createRoute({
  getParentRoute: () => project,
  path: 'unlisted',
  validateSearch: readUnlisted,
  component: lazyRouteComponent(() => import('./pages/unlisted/unlisted.js'), 'UnlistedPage'),
});

const getStarted = createRoute({
  getParentRoute: () => project,
  path: 'get-started',
  validateSearch: (search): { how?: string; framework?: string; test?: string } => ({
    how: text(search['how']),
    framework: text(search['framework']),
    test: text(search['test']),
  }),
  component: lazyRouteComponent(() => import('./pages/get-started/get-started.js'), 'GetStarted'),
});

const robots = createRoute({
  getParentRoute: () => project,
  path: 'robots',
  validateSearch: readRobotsSearch,
  component: lazyRouteComponent(() => import('./pages/robots/robots.js'), 'Robots'),
});

const alerts = createRoute({
  getParentRoute: () => project,
  path: 'alerts',
  component: lazyRouteComponent(() => import('./pages/alerts/alerts.js'), 'AlertsPage'),
});

const settings = createRoute({
  getParentRoute: () => project,
  path: 'settings',
  validateSearch: readSettings,
  component: lazyRouteComponent(() => import('./pages/settings/settings.js'), 'Settings'),
});

export const router = createRouter({
  routeTree: root.addChildren([
    signIn,
    setup,
    setupSite,
    invitation,
    passwordReset,
    secondFactor,
    unsubscribe,
    alertMail,
    shared,
    app.addChildren([
      home,
      projects,
      account,
      catalog,
      agentFeeds,
      system,
      audit,
      nowhere,
      project.addChildren([
        projectHome,
        overview,
        visits,
        realtime,
        agents,
        agent,
        verification,
        compliance,
        referrals,
        unlisted,
        tools,
        robots,
        getStarted,
        alerts,
        settings,
      ]),
    ]),
  ]),
  context: { queryClient },
  // Otherwise, pages would still receive search parameters that `validateSearch` dropped.
  search: { strict: true },
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
  defaultNotFoundComponent: NotFound,
  defaultErrorComponent: PageFailure,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
  interface HistoryState {
    /** Name of a project that was just deleted. */
    deletedProject?: string;
  }
}
