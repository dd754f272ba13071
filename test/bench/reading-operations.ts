/** Measures response times of the API operations behind the dashboard. */
import { AGENT_TYPES, USER_TRIGGERED_TYPES } from '../../libs/contracts/src/agent-type.ts';
import { getCpuTimeMs } from './processes.ts';
import { isQuick, matchesFilter, getServerIds } from './compare.ts';

/** Number of rounds over all operations. */
const ROUNDS = isQuick ? 2 : 5;
/** Number of requests per operation in each round. */
const REQUESTS = isQuick ? 5 : 20;
const DAY_MS = 86_400_000;

export interface BenchProject {
  url: string;
  id: string;
  /** Time of the newest visit, in milliseconds since the Unix epoch. */
  until: number;
  days: number;
  get: <T>(url: string, body?: object, method?: string) => Promise<T>;
  /** Targets in milliseconds for timeline pages and for lists and counts with filters. Default: those of PostgreSQL. */
  goals?: { timeline: number; filtered: number };
  /** Process IDs of the database connections. Only meaningful if the database runs on this machine. */
  connections: () => Promise<number[]>;
}

interface Operation {
  what: string;
  url: string;
  /** Request body. Without a body, the request is a GET. */
  body?: object;
  /** Target for the 95th percentile in milliseconds. */
  goal: number;
}

/** Target in milliseconds for frequent requests and for the first content on a page. */
const FAST_GOAL_MS = 50;
/** Target in milliseconds for requests that a page can wait for. */
const SLOW_GOAL_MS = 1_500;
/** Target in milliseconds for sessions, which are computed from thousands of visits. */
const JOURNEY_GOAL_MS = 300;

/**
 * Measures the operations and prints their times. Other programs on the machine can slow down requests. The output
 * therefore also shows the best round's p95, the fastest request, and the CPU time per request on the server and in the
 * database.
 */
export async function measureOperations(project: BenchProject): Promise<void> {
  const operations = (await createOperations(project)).filter(({ what }) => matchesFilter(what));
  if (operations.length === 0) return;
  const rounds = new Map(operations.map(({ what }) => [what, [] as number[][]]));
  const cpuTimeByOperation = new Map(operations.map(({ what }) => [what, 0]));
  for (let round = -1; round < ROUNDS; round += 1) {
    for (const { what, url, body } of operations) {
      const times: number[] = [];
      const processes = [...getServerIds(), ...(await project.connections())];
      const before = await getCpuTimeMs(processes);
      for (let count = 0; count < (round < 0 ? 3 : REQUESTS); count += 1) {
        const started = performance.now();
        await project.get(url, body, 'POST');
        times.push(performance.now() - started);
      }
      if (round < 0) continue;
      rounds.get(what)!.push(times);
      cpuTimeByOperation.set(what, cpuTimeByOperation.get(what)! + (await getCpuTimeMs(processes)) - before);
    }
    process.stderr.write('.');
  }
  process.stdout.write(`${ROUNDS} rounds of ${REQUESTS} requests each, milliseconds\n\n`);
  for (const { what, goal } of operations) {
    const times = rounds.get(what)!;
    const best = Math.min(...times.map((round) => percentile(round, 0.95)));
    const all = times.flat();
    const spent = cpuTimeByOperation.get(what)! / all.length;
    const figures = [percentile(all, 0.5), percentile(all, 0.95), best, Math.min(...all), spent];
    const [p50, p95, bestP95, fastest, cpu] = figures.map((figure) => figure.toFixed(1).padStart(7));
    const verdict = best <= goal ? '' : '  MISSED';
    process.stdout.write(
      `${what.padEnd(40)} p50 ${p50}  p95 ${p95}, best round ${bestP95}  fastest ${fastest}  cpu ${cpu}; goal ≤ ${goal}${verdict}\n`,
    );
  }
}

async function createOperations({ url, id, until, days, get, goals }: BenchProject): Promise<Operation[]> {
  const project = `${url}/api/projects/${id}`;
  const day = (back: number): string => new Date(until - back * DAY_MS).toISOString();
  // Ranges end at the newest visit, which can be old in a reused database.
  const range = (back: number, length = back): string => `from=${day(back)}&to=${day(back - length)}`;
  const all = range(days);
  type Agents = { agents: { agent_id: string; agent_type_name: string; operator_name: string }[] };
  const { agents } = await get<Agents>(`${project}/agents?${all}&limit=1000`);
  const [frequentAgent, rareAgent] = [agents[0]!, agents.at(-1)!];
  const newest = await get<{ visits: { id: string }[]; next_cursor: string }>(`${project}/visits?limit=1000`);
  const old = await get<{ next_cursor: string }>(`${project}/visits?to=${day(days * 0.8)}&limit=1000`);
  type Unlisted = { groups: { user_agent_group: string }[] };
  const { groups: programs } = await get<Unlisted>(`${project}/unlisted?${all}`);
  const group = programs.at(-1)!.user_agent_group;
  const timeline = Object.entries({
    'first page': '',
    '30 days': all,
    'a later page': `cursor=${newest.next_cursor}`,
    'an old page': `cursor=${old.next_cursor}`,
    'an old day': range(days * 0.8, 1),
    'a frequent agent': `agent=${frequentAgent.agent_id}`,
    'a rare agent': `agent=${rareAgent.agent_id}`,
    'two agents': `agent=${rareAgent.agent_id}&agent=${agents.at(-2)!.agent_id}`,
    'an agent without visits': 'agent=nobody',
    'a frequent type': `type=${encodeURIComponent(frequentAgent.agent_type_name)}`,
    'a rare type': `type=${encodeURIComponent(rareAgent.agent_type_name)}`,
    'a rare operator': `operator=${encodeURIComponent(rareAgent.operator_name)}`,
    'an operator without visits': 'operator=nobody',
    'failed verification': 'result=verification_failed',
    'a frequent page': 'path=/articles/1',
    'a page': 'path=/articles/5',
    'a rare page': 'path=/articles/1999',
    'a page without visits': 'path=/nothing',
    'a status class': 'status=5xx',
    'a status without visits': 'status=418',
    'calls to one tool': 'mcp_tool=search',
    'MCP calls': 'kind=mcp',
    'disallowed fetches': 'robots=disallowed',
    'disallowed fetches by a rare agent': `robots=disallowed&agent=${rareAgent.agent_id}`,
    'people referred by an assistant': 'assistant=ChatGPT',
    'likely automated programs': 'automation=likely',
    'programs in a group': `user_agent_group=${encodeURIComponent(group)}`,
    'oldest first, 30 days': `order=oldest&${all}`,
    'a rare agent, errors, 30 days': `agent=${rareAgent.agent_id}&status=5xx&${all}`,
  }).map(([what, query]) => ({
    what: `timeline, ${what}`,
    url: `${project}/visits?${query}`,
    goal: goals?.timeline ?? FAST_GOAL_MS,
  }));
  // Most of these filters use precomputed counts. Only filters by page or status read the visits.
  const filtered = Object.entries({
    'only agents': 'visitors=agents',
    'a frequent agent': `agent=${frequentAgent.agent_id}&visitors=agents`,
    'a rare agent': `agent=${rareAgent.agent_id}&visitors=agents`,
    'all but one type': `not_type=${encodeURIComponent(frequentAgent.agent_type_name)}&visitors=agents`,
    'failed verification': 'result=verification_failed&visitors=agents',
    'a page': 'page=/articles/1',
    'all but one page': 'not_page=/articles/1',
    'errors for one agent': `agent=${frequentAgent.agent_id}&status=5xx`,
  }).map(([what, query]) => ({
    what: `overview, ${what}`,
    url: `${project}/overview?${all}&${query}`,
    goal: goals?.filtered ?? SLOW_GOAL_MS,
  }));
  const triggered = agents.find(({ agent_type_name: type }) => USER_TRIGGERED_TYPES.has(type))!;
  const list = `${project}/journeys?${all}`;
  const firstSessions = await get<{ journeys: { id: string }[]; next_cursor: string }>(list);
  const journeys = Object.entries({
    'first page': list,
    'a later page': `${list}&cursor=${firstSessions.next_cursor}`,
    'an old day': `${project}/journeys?${range(days * 0.8, 1)}`,
    'an agent': `${list}&agent=${triggered.agent_id}`,
    'unknown visitors': `${list}&visitor=unknown`,
    'dead ends': `${list}&dead_end=yes`,
    'without matches': `${list}&entry=/nothing`,
    'summary, 30 days': `${project}/journey-summary?${all}`,
    'summary, 24 hours': `${project}/journey-summary?${range(1)}`,
    'summary, an agent': `${project}/journey-summary?${all}&agent=${triggered.agent_id}`,
    'one session': `${project}/journeys/${firstSessions.journeys[0]!.id}`,
  }).map(([what, path]) => ({ what: `journeys, ${what}`, url: path, goal: JOURNEY_GOAL_MS }));
  return [
    { what: 'overview, 30 days', url: `${project}/overview?${all}`, goal: FAST_GOAL_MS },
    { what: 'overview, 7 days', url: `${project}/overview?${range(7)}`, goal: FAST_GOAL_MS },
    { what: 'overview, 24 hours', url: `${project}/overview?${range(1)}`, goal: FAST_GOAL_MS },
    { what: 'news, 30 days', url: `${project}/news?${all}`, goal: FAST_GOAL_MS },
    { what: 'news, 7 days', url: `${project}/news?${range(7)}`, goal: FAST_GOAL_MS },
    { what: 'news, 24 hours', url: `${project}/news?${range(1)}`, goal: FAST_GOAL_MS },
    ...['referrals', 'compliance', 'tools', 'unlisted'].flatMap((report) => [
      { what: `${report}, 30 days`, url: `${project}/${report}?${all}`, goal: FAST_GOAL_MS },
      { what: `${report}, 24 hours`, url: `${project}/${report}?${range(1)}`, goal: FAST_GOAL_MS },
    ]),
    ...['load', 'conduct', 'permissions'].map((report) => ({
      what: `${report}, 30 days`,
      url: `${project}/${report}?${all}`,
      goal: SLOW_GOAL_MS,
    })),
    ...filtered,
    ...timeline,
    ...journeys,
    ...Object.entries({
      all,
      'a frequent agent': `agent=${frequentAgent.agent_id}&${all}`,
      'a frequent page': `path=/articles/1&${all}`,
      'a status class': `status=5xx&${all}`,
      'an address': `address=192.0.2.0/24&${all}`,
    }).map(([what, query]) => ({
      what: `count, ${what}`,
      url: `${project}/visits/count?${query}`,
      goal: goals?.filtered ?? SLOW_GOAL_MS,
    })),
    ...Object.entries({
      report: '',
      'never fetched pages': '/pages?state=never_fetched',
      "an agent's pages": `/pages?agent=${frequentAgent.agent_id}&state=fetched&limit=1000`,
      'unlisted pages': '/pages?state=unlisted',
    }).map(([what, path]) => ({
      what: `coverage, ${what}`,
      url: `${project}/coverage${path}`,
      goal: SLOW_GOAL_MS,
    })),
    { what: 'seen agents', url: `${url}/api/seen-agents`, goal: SLOW_GOAL_MS },
    { what: 'one visit', url: `${project}/visits/${newest.visits[0]!.id}`, goal: FAST_GOAL_MS },
    { what: 'project summaries', url: `${url}/api/project-summaries`, goal: SLOW_GOAL_MS },
    { what: 'histogram', url: `${project}/histogram`, goal: SLOW_GOAL_MS },
    { what: 'agents, 30 days', url: `${project}/agents?${all}`, goal: SLOW_GOAL_MS },
    { what: 'agents, 24 hours', url: `${project}/agents?${range(1)}`, goal: SLOW_GOAL_MS },
    {
      what: 'a frequent agent, 30 days',
      url: `${project}/agents/${frequentAgent.agent_id}?${all}`,
      goal: SLOW_GOAL_MS,
    },
    { what: 'verification, 30 days', url: `${project}/verification?${all}`, goal: SLOW_GOAL_MS },
    ...Object.entries({ 'a site': '/', 'a path': '/articles/1', 'a suffix': '/*9$' }).map(([what, disallow]) => ({
      what: `rules trial, ${what}`,
      url: `${project}/rules-trials`,
      body: { agent_types: AGENT_TYPES, disallow },
      goal: FAST_GOAL_MS,
    })),
  ];
}

/** Returns the nearest-rank percentile. */
export const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((one, other) => one - other)[Math.ceil(values.length * share) - 1]!;
