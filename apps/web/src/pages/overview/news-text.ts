import type { IdentificationReason } from '#libs/agents/vocabulary';
import type { NewsItem } from '../../api/statistics.js';
import { formatPercent } from '../../format/change.js';
import { getDateDetail } from '../../format/clock-time.js';
import { formatCount, formatVisitCount } from '../../format/count.js';
import { formatTime } from '../../format/time.js';

type NewsItemOfKind<K extends NewsItem['kind']> = Extract<NewsItem, { kind: K }>;

interface NewsTextOptions {
  timeZone: string;
  /** Milliseconds since the epoch. */
  now: number;
}

/** Maximum number of previous visits for which an increase is described as "new" instead of "rose". */
const MAX_PREVIOUS_VISITS_FOR_NEW = 5;

/** Short reasons why a visit is spoofed. All other reasons are about an invalid signature. */
const REASONS: Readonly<Record<string, string>> = {
  address_not_listed: 'wrong address',
  no_host_name: 'wrong address',
  host_name_not_listed: 'wrong address',
  host_name_not_confirmed: 'wrong address',
  expired: 'expired signature',
  key_expired: 'expired key',
} satisfies Partial<Record<IdentificationReason, string>>;

export function newsText(item: NewsItem, options: NewsTextOptions): string {
  switch (item.kind) {
    case 'silence':
      return `No visits since ${timeText(item.since, options)}. ${earlierText(item)}`;
    case 'outage':
      return `No visits from ${timeText(item.from, options)} to ${timeText(item.to, options)}. ${earlierText(item)}`;
    case 'errors':
      return errorsText(item);
    case 'spoofing': {
      const reason = REASONS[item.reason ?? 'address_not_listed'] ?? 'invalid signature';
      const who = item.networks === 1 ? item.network : `${formatCount(item.networks)} new networks`;
      return `${who} spoofed ${getAgentName(item)}: ${formatVisitCount(item.visits)}, ${reason}`;
    }
    case 'impersonation':
      return `${item.network} claimed to be ${listAgentNames(item.agents)}: ${formatVisitCount(item.visits)}`;
    case 'robots_refused':
      return robotsRefusedText(item);
    case 'new_agent':
      return `${getAgentName(item)} visited for the first time: ${formatVisitCount(item.visits)}`;
    case 'agent_change':
      return changeText(getAgentName(item), item.visits, item.previous_visits);
    case 'address_lists':
      return `${item.failing === item.lists ? 'All' : `${formatCount(item.failing)} of`} ${formatCount(item.lists)} address lists are failing`;
  }
}

function errorsText({ status, visits, agent_visits: all, ...item }: NewsItemOfKind<'errors'>): string {
  const { previous_visits: previous, is_sampled: isSampled, page } = item;
  const errors = `${status === '5xx' ? 'server' : 'client'} ${visits === 1 ? 'error' : 'errors'}`;
  const count = isSampled
    ? `at least ${formatCount(visits)} ${errors}`
    : `${formatCount(visits)} ${errors} (${formatPercent(visits / all)})${previous === null ? '' : `, previously ${previous === 0 ? 'none' : formatCount(previous)}`}`;
  return `Agents got ${count}. Most were on ${page}`;
}

function robotsRefusedText({ agents, agent_count: count, visits, fetches }: NewsItemOfKind<'robots_refused'>): string {
  const first = getAgentName(agents[0]!);
  const others = count === 1 ? '' : ` and ${formatCount(count - 1)} ${count === 2 ? 'other' : 'others'}`;
  return `${first}${others} couldn’t get robots.txt (${formatCount(visits)} of ${formatCount(fetches)} requests failed)`;
}

function changeText(name: string, visits: number, previous: number): string {
  if (visits === 0) return `${name} stopped: no visits, previously ${formatCount(previous)}`;
  if (previous === 0) return `${name} is back: ${formatVisitCount(visits)}, previously none`;
  if (visits > previous && previous <= MAX_PREVIOUS_VISITS_FOR_NEW) {
    return `${name} is new: ${formatVisitCount(visits)}, previously only ${formatCount(previous)}`;
  }
  return `${name} ${visits > previous ? 'rose' : 'fell'} to ${formatVisitCount(visits)} from ${formatCount(previous)}`;
}

const getAgentName = ({ agent_token: token }: { agent_token: string | null }): string =>
  token ?? 'An agent no longer in the catalog';

/** Returns text such as "GPTBot and ClaudeBot" or "GPTBot, ClaudeBot and 2 more". */
function listAgentNames(agents: NewsItemOfKind<'impersonation'>['agents']): string {
  const names = agents.map(getAgentName);
  if (names.length > 3) return `${names.slice(0, 2).join(', ')} and ${formatCount(names.length - 2)} more`;
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

const earlierText = ({ days_before: days, expected_visits: visits }: NewsItemOfKind<'silence' | 'outage'>): string =>
  `${days === 1 ? 'The day' : `${formatCount(days)} days`} before, there were ${formatCount(visits)}`;

function timeText(time: string, { timeZone, now }: NewsTextOptions): string {
  const clock = formatTime(time, timeZone, { timeStyle: 'short' });
  if (getDateDetail(time, timeZone, now) === undefined) return clock;
  return `${formatTime(time, timeZone, { day: 'numeric', month: 'short' })}, ${clock}`;
}
