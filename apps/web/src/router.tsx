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
import { isSignInError, type SignInError } from '#libs/sign-in';
import { ApiError } from './api/client.js';
import { projectQuery, sessionQuery, summariesQuery } from './api/queries.js';
import { Failure } from './ui/failure.js';
import { NotFound } from './pages/not-found.js';
import { Shell } from './shell/shell.js';
import { parseAuditSearch } from './audit-log/search.js';
import { parseAgentSearch, parseAgentsSearch } from './pages/agents/search.js';
import { parseJourneysSearch } from './pages/journeys/search.js';
import { parseComplianceSearch } from './pages/compliance/search.js';
import { parseLoadSearch } from './pages/load/search.js';
import { parseCoverageSearch } from './pages/page-coverage/search.js';
import { parseOverviewSearch } from './pages/overview/search.js';
import { parseRealtimeSearch } from './pages/realtime/search.js';
import { parseVisitsSearch } from './pages/visits/search.js';
import { parseFeedsSearch } from './pages/catalog/feeds/search.js';
import { parseCatalogSearch } from './pages/catalog/search.js';
import { parseReferralsSearch } from './pages/referrals/search.js';
import { parseSettingsSearch } from './pages/settings/tabs.js';
import { parseReportsSearch } from './pages/reports/search.js';
import { parsePaidCrawlingSearch } from './pages/paid-crawling/search.js';
import { parseToolsSearch } from './pages/tools/search.js';
import { parseVerificationSearch } from './pages/verification/search.js';
import { parseUnlistedSearch } from './pages/unlisted/search.js';
import { parsePolicySearch, parseRobotsSearch } from './pages/policy/robots/search.js';
import { parseEffectSearch } from './pages/policy/effect/search.js';
import { parseRangeSearch } from './range/range.js';

/** Returns true for client errors other than 429, because a retry can't fix them. */
const isPermanentError = (error: unknown): boolean =>
  error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429;

export const queryClient = new QueryClient({
  defaultOptions: { queries: { retry: (count, error) => count < 2 && !isPermanentError(error) } },
  queryCache: new QueryCache({
    onError: (error, { queryKey }) => {
      if (!(error instanceof ApiError) || queryKey[0] === 'session' || queryKey[0] === 'shared') return;
      if (error.status === 401 || error.type === '/docs/problems#second-factor-required') void revalidateSession();
    },
  }),
});

/** Refetches the session, so routes redirect to the sign-in page or the second-factor setup. */
async function revalidateSession(): Promise<void> {
  await queryClient.invalidateQueries(sessionQuery);
  await router.invalidate();
}

/** Errors from scripts that failed to load, usually because a new release replaced them. Only a page reload helps. */
const loadErrors = new WeakSet<Error>();
window.addEventListener('vite:preloadError', ({ payload }) => loadErrors.add(payload));

function PageFailure({ error, reset }: ErrorComponentProps) {
  return loadErrors.has(error as Error) ? (
    <Failure
      error="Part of this page didn't load. Try again to reload the page."
      retry={() => window.location.reload()}
    />
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

const parseText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** Parses an error code. Unknown codes become `failed`, so a link can't show arbitrary text. */
function parseSignInError(value: unknown): SignInError | undefined {
  if (value === undefined) return undefined;
  return typeof value === 'string' && isSignInError(value) ? value : 'failed';
}

const signIn = createRoute({
  getParentRoute: () => root,
  path: 'sign-in',
  validateSearch: (search): { return_to?: string; error?: SignInError } => ({
    return_to: parseText(search['return_to']),
    error: parseSignInError(search['error']),
  }),
  component: lazyRouteComponent(() => import('./pages/sign-in.js'), 'SignIn'),
});

const setup = createRoute({
  getParentRoute: () => root,
  path: 'setup',
  component: lazyRouteComponent(() => import('./pages/setup.js'), 'Setup'),
});

/** Second setup step, which asks for the first project's site. */
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

/** Target of links in report emails. */
const unsubscribe = createRoute({
  getParentRoute: () => root,
  path: 'unsubscribe',
  validateSearch: (search): { of: string } => ({ of: parseText(search['of']) ?? '' }),
  component: lazyRouteComponent(() => import('./pages/unsubscribe.js'), 'Unsubscribe'),
});

/** Target of links in alert emails. */
const alertMail = createRoute({
  getParentRoute: () => root,
  path: 'alert-mail',
  validateSearch: (search): { of: string } => ({ of: parseText(search['of']) ?? '' }),
  component: lazyRouteComponent(() => import('./pages/alert-mail.js'), 'AlertMail'),
});

/** Target of links in emails that ask report recipients to confirm their address. */
const reportMail = createRoute({
  getParentRoute: () => root,
  path: 'report-mail',
  validateSearch: (search): { of: string } => ({ of: parseText(search['of']) ?? '' }),
  component: lazyRouteComponent(() => import('./pages/report-mail.js'), 'ReportMail'),
});

const shared = createRoute({
  getParentRoute: () => root,
  path: 'shared/$secret',
  validateSearch: (search): { embed?: true; range?: string } => ({
    embed: search['embed'] === undefined ? undefined : true,
    range: parseText(search['range']),
  }),
  component: lazyRouteComponent(() => import('./pages/overview/shared/shared.js'), 'SharedPage'),
});

/** Second-factor setup for users who are required to have one. */
const secondFactor = createRoute({
  getParentRoute: () => root,
  path: 'second-factor',
  validateSearch: (search): { return_to?: string } => ({ return_to: parseText(search['return_to']) }),
  component: lazyRouteComponent(() => import('./pages/account/required-second-factor.js'), 'RequiredSecondFactor'),
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
  validateSearch: parseCatalogSearch,
  component: lazyRouteComponent(() => import('./pages/catalog/catalog.js'), 'Catalog'),
});

const agentFeeds = createRoute({
  getParentRoute: () => app,
  path: 'catalog/feeds',
  validateSearch: parseFeedsSearch,
  component: lazyRouteComponent(() => import('./pages/catalog/feeds/feeds.js'), 'AgentFeedsPage'),
});

const system = createRoute({
  getParentRoute: () => app,
  path: 'system',
  validateSearch: (search): { letter?: string } => ({ letter: parseText(search['letter']) }),
  component: lazyRouteComponent(() => import('./pages/system/system.js'), 'SystemPage'),
});

const audit = createRoute({
  getParentRoute: () => app,
  path: 'audit',
  validateSearch: parseAuditSearch,
  component: lazyRouteComponent(() => import('./pages/audit/audit.js'), 'AuditPage'),
});

/** Matches all other paths. */
const unknownPath = createRoute({
  getParentRoute: () => app,
  path: '$',
  component: NotFound,
});

const project = createRoute({
  getParentRoute: () => app,
  path: 'projects/$projectId',
  // Remounts pages when the project changes, so input for one project is never saved in another.
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
  validateSearch: parseOverviewSearch,
  component: lazyRouteComponent(() => import('./pages/overview/overview.js'), 'OverviewPage'),
});

const realtime = createRoute({
  getParentRoute: () => project,
  path: 'realtime',
  validateSearch: parseRealtimeSearch,
  component: lazyRouteComponent(() => import('./pages/realtime/realtime.js'), 'Realtime'),
});

const visits = createRoute({
  getParentRoute: () => project,
  path: 'visits',
  validateSearch: parseVisitsSearch,
  component: lazyRouteComponent(() => import('./pages/visits/visits.js'), 'VisitsPage'),
});

const journeys = createRoute({
  getParentRoute: () => project,
  path: 'journeys',
  validateSearch: parseJourneysSearch,
  component: lazyRouteComponent(() => import('./pages/journeys/journeys.js'), 'JourneysPage'),
});

const agents = createRoute({
  getParentRoute: () => project,
  path: 'agents',
  validateSearch: parseAgentsSearch,
  component: lazyRouteComponent(() => import('./pages/agents/agents.js'), 'AgentsPage'),
});

const agent = createRoute({
  getParentRoute: () => project,
  path: 'agents/$agentId',
  validateSearch: parseAgentSearch,
  component: lazyRouteComponent(() => import('./pages/agents/agent.js'), 'AgentPage'),
});

const verification = createRoute({
  getParentRoute: () => project,
  path: 'verification',
  validateSearch: parseVerificationSearch,
  component: lazyRouteComponent(() => import('./pages/verification/verification.js'), 'VerificationPage'),
});

const compliance = createRoute({
  getParentRoute: () => project,
  path: 'compliance',
  validateSearch: parseComplianceSearch,
  beforeLoad: ({ params, search }) => {
    if (search.tab === 'paid') {
      const range = parseRangeSearch({ ...search });
      throw redirect({ to: '/projects/$projectId/paid-crawling', params, search: range, replace: true });
    }
  },
  component: lazyRouteComponent(() => import('./pages/compliance/compliance.js'), 'CompliancePage'),
});

const load = createRoute({
  getParentRoute: () => project,
  path: 'load',
  validateSearch: parseLoadSearch,
  component: lazyRouteComponent(() => import('./pages/load/load.js'), 'LoadPage'),
});

const referrals = createRoute({
  getParentRoute: () => project,
  path: 'referrals',
  validateSearch: parseReferralsSearch,
  component: lazyRouteComponent(() => import('./pages/referrals/referrals.js'), 'ReferralsPage'),
});

const coverage = createRoute({
  getParentRoute: () => project,
  path: 'coverage',
  validateSearch: parseCoverageSearch,
  loaderDeps: ({ search }) => ({ by: search.tab === 'patterns' ? ('pattern' as const) : undefined }),
  // The report can take longer than the page's scripts, so both are requested at once.
  loader: ({ context, params, deps }) => {
    void import('./api/coverage.js').then(({ coverageQuery }) =>
      context.queryClient.prefetchQuery(coverageQuery(params.projectId, deps.by)),
    );
  },
  component: lazyRouteComponent(() => import('./pages/page-coverage/page-coverage.js'), 'PageCoverage'),
});

const tools = createRoute({
  getParentRoute: () => project,
  path: 'tools',
  validateSearch: parseToolsSearch,
  beforeLoad: ({ params, search }) => {
    if (search.payments !== undefined) {
      const range = parseRangeSearch({ ...search });
      const tab = search.payments;
      throw redirect({ to: '/projects/$projectId/paid-crawling', params, search: { ...range, tab }, replace: true });
    }
  },
  component: lazyRouteComponent(() => import('./pages/tools/tools.js'), 'ToolsPage'),
});

const paidCrawling = createRoute({
  getParentRoute: () => project,
  path: 'paid-crawling',
  validateSearch: parsePaidCrawlingSearch,
  component: lazyRouteComponent(() => import('./pages/paid-crawling/paid-crawling.js'), 'PaidCrawlingPage'),
});

const unlisted = createRoute({
  getParentRoute: () => project,
  path: 'unlisted',
  validateSearch: parseUnlistedSearch,
  component: lazyRouteComponent(() => import('./pages/unlisted/unlisted.js'), 'UnlistedPage'),
});

const getStarted = createRoute({
  getParentRoute: () => project,
  path: 'get-started',
  validateSearch: (search): { how?: string; framework?: string; test?: string } => ({
    how: parseText(search['how']),
    framework: parseText(search['framework']),
    test: parseText(search['test']),
  }),
  component: lazyRouteComponent(() => import('./pages/get-started/get-started.js'), 'GetStarted'),
});

const robots = createRoute({
  getParentRoute: () => project,
  path: 'robots',
  validateSearch: parseRobotsSearch,
  component: lazyRouteComponent(() => import('./pages/policy/robots/robots.js'), 'Robots'),
});

const policy = createRoute({
  getParentRoute: () => project,
  path: 'policy',
  validateSearch: parsePolicySearch,
  component: lazyRouteComponent(() => import('./pages/policy/policy.js'), 'PolicyPage'),
});

const policyRule = createRoute({
  getParentRoute: () => project,
  path: 'policy/rules/$ruleId',
  validateSearch: parseEffectSearch,
  component: lazyRouteComponent(() => import('./pages/policy/effect/effect.js'), 'EffectPage'),
});

const alerts = createRoute({
  getParentRoute: () => project,
  path: 'alerts',
  component: lazyRouteComponent(() => import('./pages/alerts/alerts.js'), 'AlertsPage'),
});

const reports = createRoute({
  getParentRoute: () => project,
  path: 'reports',
  validateSearch: parseReportsSearch,
  component: lazyRouteComponent(() => import('./pages/reports/reports.js'), 'ReportsPage'),
});

const settings = createRoute({
  getParentRoute: () => project,
  path: 'settings',
  validateSearch: parseSettingsSearch,
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
    reportMail,
    shared,
    app.addChildren([
      home,
      projects,
      account,
      catalog,
      agentFeeds,
      system,
      audit,
      unknownPath,
      project.addChildren([
        projectHome,
        overview,
        visits,
        realtime,
        journeys,
        agents,
        agent,
        verification,
        compliance,
        load,
        coverage,
        referrals,
        unlisted,
        tools,
        paidCrawling,
        robots,
        policy,
        policyRule,
        getStarted,
        alerts,
        reports,
        settings,
      ]),
    ]),
  ]),
  context: { queryClient },
  // If this were false, pages would still receive search parameters that `validateSearch` dropped.
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
