import type { IdentificationReason } from '#libs/agents/vocabulary';
import type { NewsItem } from '../../api/statistics.js';
import { formatPercent } from '../../format/change.js';
import { getDateDetail } from '../../format/clock-time.js';
import { formatCount, formatVisitCount } from '../../format/count.js';
import { formatTime } from '../../format/time.js';
import type { CommonRise } from './news-order.js';

type NewsItemOfKind<K extends NewsItem['kind']> = Extract<NewsItem, { kind: K }>;

interface NewsTextOptions {
  timeZone: string;
  /** Milliseconds since the epoch. */
  now: number;
}

/** Why visits failed verification. All other reasons are about an invalid signature. */
const REASONS: Readonly<Record<string, string>> = {
  address_not_listed: 'came from the wrong addresses',
  no_host_name: 'came from the wrong addresses',
  host_name_not_listed: 'came from the wrong addresses',
  host_name_not_confirmed: 'came from the wrong addresses',
  expired: 'failed verification, expired signature',
  key_expired: 'failed verification, expired key',
} satisfies Partial<Record<IdentificationReason, string>>;

export function newsText(item: NewsItem, options: NewsTextOptions): string {
  switch (item.kind) {
    case 'silence':
      return `No visits at all since ${timeText(item.since, options)} ${earlierText(item)}`;
    case 'outage':
      return `No visits at all from ${timeText(item.from, options)} to ${endText(item, options)} ${earlierText(item)}`;
    case 'errors':
      return item.period === null ? errorsText(item) : errorPeriodText(item, item.period, options);
    case 'spoofing': {
      const reason = REASONS[item.reason ?? 'address_not_listed'] ?? 'failed verification, invalid signature';
      const who =
        item.networks === 1 ? item.network : `${formatCount(item.networks)} new networks, including ${item.network},`;
      return `${who} claimed to be ${getAgentName(item)}: ${formatVisitCount(item.visits)} ${reason}`;
    }
    case 'impersonation':
      return `${item.network} made ${formatVisitCount(item.visits)} posing as ${listAgentNames(item.agents)}. ${claimsText(item)}`;
    case 'robots_refused':
      return robotsRefusedText(item);
    case 'new_agent':
      return `${getAgentName(item)} visited for the first time: ${formatVisitCount(item.visits)}`;
    case 'agent_change':
      return changeText(getAgentName(item), item.visits, item.previous_visits);
    case 'address_lists':
      return addressListsText(item);
  }
}

function errorsText({ status, visits, agent_visits: all, ...item }: NewsItemOfKind<'errors'>): string {
  const { previous_visits: previous, is_sampled: isSampled, page, page_visits: onPage } = item;
  const errors = `${status === '5xx' ? 'server' : 'client'} ${visits === 1 ? 'error' : 'errors'}`;
  const count = isSampled
    ? `at least ${formatCount(visits)} ${errors}`
    : `${formatCount(visits)} ${errors} (${formatPercent(visits / all)})${previous === null ? '' : previous === 0 ? ', up from none' : `, ${visits > previous ? 'up' : 'down'} from ${formatCount(previous)}`}`;
  return `Agents got ${count}${onPage > visits / 2 ? `. Most were on ${page}` : ''}`;
}

function errorPeriodText(
  { status, visits, outage, page, page_visits: onPage }: NewsItemOfKind<'errors'>,
  period: NonNullable<NewsItemOfKind<'errors'>['period']>,
  options: NewsTextOptions,
): string {
  const kind = status === '5xx' ? 'server' : 'client';
  const failures = period.visits === 1 ? `request failed with a ${kind} error` : `requests failed with ${kind} errors`;
  const where = onPage > visits / 2 ? `. Most were on ${page}` : '';
  const spanText = (span: { from: string; to: string }): string =>
    `from ${timeText(span.from, options)} to ${endText(span, options)}`;
  const text = `${formatCount(period.visits)} ${failures} ${spanText(period)}${where}`;
  return outage === null ? text : `${text}. No visits at all ${spanText(outage)}`;
}

function robotsRefusedText({ agents, agent_count: count, visits, fetches }: NewsItemOfKind<'robots_refused'>): string {
  return `${listAgentNames(agents, count)} couldn’t get robots.txt: ${formatCount(visits)} of ${formatCount(fetches)} requests failed`;
}

function addressListsText({ failing, lists, agents, agent_count: count }: NewsItemOfKind<'address_lists'>): string {
  const which = `${failing === lists ? 'all' : `${formatCount(failing)} of`} ${formatCount(lists)} address lists are failing`;
  return count === 0
    ? `${which[0]!.toUpperCase()}${which.slice(1)}, so some addresses may be out of date`
    : `${listAgentNames(agents, count)} ${count === 1 ? 'is' : 'are'} checked against old addresses, because ${which}`;
}

function changeText(name: string, visits: number, previous: number): string {
  if (visits === 0) return `${name} stopped: no visits, previously ${formatCount(previous)}`;
  if (previous === 0) return `${name} is back: ${formatVisitCount(visits)}, previously none`;
  return `${name}: ${formatVisitCount(visits)}, ${visits > previous ? 'up' : 'down'} from ${formatCount(previous)}`;
}

/** Returns text such as "More visits by Googlebot (+171), GPTBot (+118), and 2 others". */
export function commonRiseText({ agents }: CommonRise): string {
  const named = agents.slice(0, agents.length > 3 ? 2 : 3);
  const rises = named.map((agent) => `${getAgentName(agent)} (+${formatCount(agent.visits - agent.previous_visits)})`);
  const others = agents.length - named.length;
  const list = [...rises, ...(others > 0 ? [`${formatCount(others)} ${others === 1 ? 'other' : 'others'}`] : [])];
  return `More visits by ${new Intl.ListFormat('en-US').format(list)}`;
}

const getAgentName = ({ agent_token: token }: { agent_token: string | null }): string =>
  token ?? 'An agent no longer in the catalog';

/** Returns text such as "GPTBot and ClaudeBot" or "GPTBot, ClaudeBot, and 2 others". */
export function listAgentNames(agents: readonly { agent_token: string | null }[], count = agents.length): string {
  const names = agents.slice(0, count > 3 ? 2 : 3).map(getAgentName);
  const others = count - names.length;
  const rest = others > 0 ? [`${formatCount(others)} ${others === 1 ? 'other' : 'others'}`] : [];
  return new Intl.ListFormat('en-US').format([...names, ...rest]);
}

function claimsText({ visits, spoofed }: NewsItemOfKind<'impersonation'>): string {
  if (spoofed === 0) return 'None can be verified';
  if (spoofed === visits) return 'All failed verification';
  return `${formatCount(spoofed)} failed verification; the rest can’t be verified`;
}

const earlierText = ({ days_before: days, expected_visits: visits }: NewsItemOfKind<'silence' | 'outage'>): string =>
  days === 1
    ? `(${formatCount(visits)} the day before)`
    : `(${formatVisitCount(visits)} ${formatCount(days)} days before)`;

/** Returns the end of a period, without the date if it's the day on which the period starts. */
function endText({ from, to }: { from: string; to: string }, { timeZone, now }: NewsTextOptions): string {
  const isSameDay = getDateDetail(to, timeZone, Date.parse(from)) === undefined;
  return isSameDay ? formatTime(to, timeZone, { timeStyle: 'short' }) : timeText(to, { timeZone, now });
}

function timeText(time: string, { timeZone, now }: NewsTextOptions): string {
  const clock = formatTime(time, timeZone, { timeStyle: 'short' });
  if (getDateDetail(time, timeZone, now) === undefined) return clock;
  return `${formatTime(time, timeZone, { day: 'numeric', month: 'short' })}, ${clock}`;
}
