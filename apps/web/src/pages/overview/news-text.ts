import { getMethodForReason } from '#libs/agents/vocabulary';
import type { NewsItem } from '../../api/statistics.js';
import { formatPercent } from '../../format/change.js';
import { getDateDetail } from '../../format/clock-time.js';
import { formatCount, formatVisitCount } from '../../format/count.js';
import { formatTime } from '../../format/time.js';

interface NewsTextOptions {
  timeZone: string;
  /** Milliseconds since the epoch. */
  now: number;
}

/** Maximum number of previous visits for which an increase is described as "new" instead of "rose". */
const MAX_PREVIOUS_VISITS_FOR_NEW = 5;
const SPOOFING_REASONS = {
  http_message_signature: 'invalid signature',
  ip_range: 'wrong address',
  reverse_dns: 'wrong address',
};

export function newsText(item: NewsItem, options: NewsTextOptions): string {
  switch (item.kind) {
    case 'silence':
      return `No visits since ${timeText(item.since, options)}; ${formatCount(item.expected_visits)} at the same time ${daysText(item.days_before)} before`;
    case 'errors':
      return errorsText(item);
    case 'spoofing': {
      const reason = SPOOFING_REASONS[getMethodForReason(item.reason ?? '') ?? 'ip_range'];
      const who = item.networks === 1 ? item.network : `${formatCount(item.networks)} new networks`;
      return `${who} spoofed ${getAgentName(item)}: ${formatVisitCount(item.visits)}, ${reason}`;
    }
    case 'new_agent':
      return `${getAgentName(item)} visited for the first time: ${formatVisitCount(item.visits)}`;
    case 'agent_change':
      return changeText(getAgentName(item), item.visits, item.previous_visits);
    case 'address_lists':
      return `${item.failing === item.lists ? 'All' : `${formatCount(item.failing)} of`} ${formatCount(item.lists)} address lists are failing`;
  }
}

function errorsText({ status, visits, agent_visits: all, ...item }: Extract<NewsItem, { kind: 'errors' }>): string {
  const { previous_visits: previous, is_sampled: isSampled, page } = item;
  const count = isSampled
    ? `at least ${formatCount(visits)}`
    : `${formatCount(visits)} (${formatPercent(visits / all)})${previous === null ? '' : `, previously ${previous === 0 ? 'none' : formatCount(previous)}`}`;
  return `${status} errors for agents: ${count}; most on ${page}`;
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

const daysText = (days: number): string => (days === 1 ? 'the day' : `${formatCount(days)} days`);

function timeText(time: string, { timeZone, now }: NewsTextOptions): string {
  const clock = formatTime(time, timeZone, { timeStyle: 'short' });
  if (getDateDetail(time, timeZone, now) === undefined) return clock;
  return `${formatTime(time, timeZone, { day: 'numeric', month: 'short' })}, ${clock}`;
}
