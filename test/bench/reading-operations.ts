/** Response times of the API operations behind the dashboard. */
import { AGENT_TYPES } from '../../libs/contracts/src/agent-type.ts';
import { processorTime } from './processes.ts';
import { isQuick, isWanted, serverIds } from './compare.ts';

/** Rounds over all operations, and requests per operation in each round. */
const ROUNDS = isQuick ? 2 : 5;
const REQUESTS = isQuick ? 5 : 20;
const DAY = 86_400_000;

export interface ReadProject {
  url: string;
  id: string;
  /** Time of the newest visit, in milliseconds since the epoch. */
  until: number;
  days: number;
  get: <T>(url: string, body?: object, method?: string) => Promise<T>;
  /** Process IDs of the database connections. They're only useful if the database runs on this machine. */
  connections: () => Promise<number[]>;
}

interface Operation {
  what: string;
  url: string;
  /** Request body. Without one, the request is a GET. */
  body?: object;
  /** Target for the 95th percentile, in milliseconds. */
  goal: number;
}

/** Target for frequent requests and for the first thing on a page. */
const AT_ONCE = 50;
/** Target for requests that a page can wait for. */
const SOON = 1_500;

/**
 * Measures the operations and prints their times. Other programs on the machine can only add time. The output therefore
 * also contains the best round's p95, the fastest request, and CPU time per request in server and database.
 */
export async function measureOperations(project: ReadProject): Promise<void> {
  const operations = (await operationsOf(project)).filter(({ what }) => isWanted(what));
  if (operations.length === 0) return;
  const rounds = new Map(operations.map(({ what }) => [what, [] as number[][]]));
  const work = new Map(operations.map(({ what }) => [what, 0]));
  for (let round = -1; round < ROUNDS; round += 1) {
    for (const { what, url, body } of operations) {
      const times: number[] = [];
      const processes = [...serverIds(), ...(await project.connections())];
      const before = await processorTime(processes);
      for (let count = 0; count < (round < 0 ? 3 : REQUESTS); count += 1) {
        const started = performance.now();
        await project.get(url, body, 'POST');
        times.push(performance.now() - started);
      }
      if (round < 0) continue;
      rounds.get(what)!.push(times);
      work.set(what, work.get(what)! + (await processorTime(processes)) - before);
    }
    process.stderr.write('.');
  }
  process.stdout.write(`${ROUNDS} rounds of ${REQUESTS} requests each, milliseconds\n\n`);
  for (const { what, goal } of operations) {
    const times = rounds.get(what)!;
    const best = Math.min(...times.map((round) => percentile(round, 0.95)));
    const all = times.flat();
    const spent = work.get(what)! / all.length;
    const figures = [percentile(all, 0.5), percentile(all, 0.95), best, Math.min(...all), spent];
    const [p50, p95, bestP95, fastest, cpu] = figures.map((figure) => figure.toFixed(1).padStart(7));
    const verdict = best <= goal ? '' : '  MISSED';
    process.stdout.write(
      `${what.padEnd(40)} p50 ${p50}  p95 ${p95}, best round ${bestP95}  fastest ${fastest}  cpu ${cpu}; goal ≤ ${goal}${verdict}\n`,
    );
  }
}

async function operationsOf({ url, id, until, days, get }: ReadProject): Promise<Operation[]> {
  const project = `${url}/api/projects/${id}`;
  const day = (back: number): string => new Date(until - back * DAY).toISOString();
  // Ranges end at the newest visit, which can be old in a reused database.
  const range = (back: number, length = back): string => `from=${day(back)}&to=${day(back - length)}`;
  const all = range(days);
  type Agents = { agents: { agent_id: string; agent_type_name: string; operator_name: string }[] };
  const { agents } = await get<Agents>(`${project}/agents?${all}&limit=1000`);
  const [often, rare] = [agents[0]!, agents.at(-1)!];
  const newest = await get<{ visits: { id: string }[]; next_cursor: string }>(`${project}/visits?limit=1000`);
  const old = await get<{ next_cursor: string }>(`${project}/visits?to=${day(days * 0.8)}&limit=1000`);
  type Unlisted = { groups: { user_agent_group: string }[] };
  const { groups: programs } = await get<Unlisted>(`${project}/unlisted?${all}`);
  const group = programs.at(-1)!.user_agent_group;
  const timeline = Object.entries({
    'first page': '',
    '30 days': all,
    'a later page': `cursor=${newest.next_cursor}`,
    'a page of long ago': `cursor=${old.next_cursor}`,
    'a day of long ago': range(days * 0.8, 1),
    'a frequent agent': `agent=${often.agent_id}`,
    'a rare agent': `agent=${rare.agent_id}`,
    'two agents': `agent=${rare.agent_id}&agent=${agents.at(-2)!.agent_id}`,
    'an agent that never came': 'agent=nobody',
    'a frequent type': `type=${encodeURIComponent(often.agent_type_name)}`,
    'a rare type': `type=${encodeURIComponent(rare.agent_type_name)}`,
    'a rare operator': `operator=${encodeURIComponent(rare.operator_name)}`,
    'an operator that never came': 'operator=nobody',
    'failed verification': 'result=verification_failed',
    'a frequent page': 'path=/articles/1',
    'a page': 'path=/articles/5',
    'a rare page': 'path=/articles/1999',
    'a page that is not there': 'path=/nothing',
    'a class of statuses': 'status=5xx',
    'a status that never was': 'status=418',
    'calls of a tool': 'mcp_tool=search',
    'MCP calls': 'kind=mcp',
    'disallowed fetches': 'robots=disallowed',
    'disallowed fetches of a rare agent': `robots=disallowed&agent=${rare.agent_id}`,
    'people whom an assistant sent': 'assistant=ChatGPT',
    'programs, likely': 'automation=likely',
    'programs of a group': `user_agent_group=${encodeURIComponent(group)}`,
    'the oldest, 30 days': `order=oldest&${all}`,
    'a rare agent, errors, 30 days': `agent=${rare.agent_id}&status=5xx&${all}`,
  }).map(([what, query]) => ({ what: `timeline, ${what}`, url: `${project}/visits?${query}`, goal: AT_ONCE }));
  // Most of these are answered from precomputed counts. Filters by page or status read the visits.
  const filtered = Object.entries({
    'agents alone': 'visitors=agents',
    'a frequent agent': `agent=${often.agent_id}&visitors=agents`,
    'a rare agent': `agent=${rare.agent_id}&visitors=agents`,
    'all but a type': `not_type=${encodeURIComponent(often.agent_type_name)}&visitors=agents`,
    'failed verification': 'result=verification_failed&visitors=agents',
    'a page': 'page=/articles/1',
    'all but a page': 'not_page=/articles/1',
    'errors of an agent': `agent=${often.agent_id}&status=5xx`,
  }).map(([what, query]) => ({ what: `overview, ${what}`, url: `${project}/overview?${all}&${query}`, goal: SOON }));
  return [
    { what: 'overview, 30 days', url: `${project}/overview?${all}`, goal: AT_ONCE },
    { what: 'overview, 7 days', url: `${project}/overview?${range(7)}`, goal: AT_ONCE },
    { what: 'overview, 24 hours', url: `${project}/overview?${range(1)}`, goal: AT_ONCE },
    { what: 'news, 30 days', url: `${project}/news?${all}`, goal: AT_ONCE },
    { what: 'news, 7 days', url: `${project}/news?${range(7)}`, goal: AT_ONCE },
    { what: 'news, 24 hours', url: `${project}/news?${range(1)}`, goal: AT_ONCE },
    ...['referrals', 'compliance', 'tools', 'unlisted'].flatMap((report) => [
      { what: `${report}, 30 days`, url: `${project}/${report}?${all}`, goal: AT_ONCE },
      { what: `${report}, 24 hours`, url: `${project}/${report}?${range(1)}`, goal: AT_ONCE },
    ]),
    ...filtered,
    ...timeline,
    ...Object.entries({
      all,
      'a frequent agent': `agent=${often.agent_id}&${all}`,
      'a frequent page': `path=/articles/1&${all}`,
      'a class of statuses': `status=5xx&${all}`,
      'an address': `address=192.0.2.0/24&${all}`,
    }).map(([what, query]) => ({ what: `count, ${what}`, url: `${project}/visits/count?${query}`, goal: SOON })),
    { what: 'seen agents', url: `${url}/api/seen-agents`, goal: SOON },
    { what: 'one visit', url: `${project}/visits/${newest.visits[0]!.id}`, goal: AT_ONCE },
    { what: 'project summaries', url: `${url}/api/project-summaries`, goal: SOON },
    { what: 'histogram', url: `${project}/histogram`, goal: SOON },
    { what: 'agents, 30 days', url: `${project}/agents?${all}`, goal: SOON },
    { what: 'agents, 24 hours', url: `${project}/agents?${range(1)}`, goal: SOON },
    { what: 'a frequent agent, 30 days', url: `${project}/agents/${often.agent_id}?${all}`, goal: SOON },
    { what: 'verification, 30 days', url: `${project}/verification?${all}`, goal: SOON },
    ...Object.entries({ 'a site': '/', 'a path': '/articles/1', 'an ending': '/*9$' }).map(([what, disallow]) => ({
      what: `trial of rules, ${what}`,
      url: `${project}/rules-trials`,
      body: { agent_types: AGENT_TYPES, disallow },
      goal: AT_ONCE,
    })),
  ];
}

/** Nearest-rank percentile. */
export const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((one, other) => one - other)[Math.ceil(values.length * share) - 1]!;
