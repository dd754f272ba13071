import { methodOf } from '#libs/agents/vocabulary';
import type { NewsItem } from '../../api/statistics.js';
import { percentText } from '../../format/change.js';
import { datedBy } from '../../format/clock-time.js';
import { countText, visitsText } from '../../format/count.js';
import { formatted } from '../../format/time.js';

interface NewsTextOptions {
  timeZone: string;
  /** Milliseconds since the epoch. */
  now: number;
}

/** Maximum previous count for which an increase is described as "new" instead of a rise. */
const NEARLY_NOTHING = 5;
const WRONG = { http_message_signature: 'invalid signature', ip_range: 'wrong address', reverse_dns: 'wrong address' };

/** Describes a news item in one sentence. */
export function newsText(item: NewsItem, options: NewsTextOptions): string {
  switch (item.kind) {
    case 'silence':
      return `No visits since ${timeText(item.since, options)}; ${countText(item.expected_visits)} at the same time ${daysText(item.days_before)} before`;
    case 'errors':
      return errorsText(item);
    case 'spoofing': {
      const reason = WRONG[methodOf(item.reason ?? '') ?? 'ip_range'];
      const who = item.networks === 1 ? item.network : `${countText(item.networks)} new networks`;
      return `${who} spoofed ${nameOf(item)}: ${visitsText(item.visits)}, ${reason}`;
    }
    case 'new_agent':
      return `${nameOf(item)} visited for the first time: ${visitsText(item.visits)}`;
    case 'agent_change':
      return changeText(nameOf(item), item.visits, item.previous_visits);
    case 'address_lists':
      return `${item.failing === item.lists ? 'All' : `${countText(item.failing)} of`} ${countText(item.lists)} address lists are failing`;
  }
}

function errorsText({ status, visits, agent_visits: all, ...item }: Extract<NewsItem, { kind: 'errors' }>): string {
  const { previous_visits: previous, is_sampled: isSampled, page } = item;
  const count = isSampled
    ? `at least ${countText(visits)}`
    : `${countText(visits)} (${percentText(visits / all)})${previous === null ? '' : `, previously ${previous === 0 ? 'none' : countText(previous)}`}`;
  return `${status} errors for agents: ${count}; most on ${page}`;
}

function changeText(name: string, visits: number, previous: number): string {
  if (visits === 0) return `${name} stopped: no visits, previously ${countText(previous)}`;
  if (previous === 0) return `${name} is back: ${visitsText(visits)}, previously none`;
  if (visits > previous && previous <= NEARLY_NOTHING) {
    return `${name} is new: ${visitsText(visits)}, previously only ${countText(previous)}`;
  }
  return `${name} ${visits > previous ? 'rose' : 'fell'} to ${visitsText(visits)} from ${countText(previous)}`;
}

const nameOf = ({ agent_token: token }: { agent_token: string | null }): string =>
  token ?? 'An agent no longer in the catalog';

const daysText = (days: number): string => (days === 1 ? 'the day' : `${countText(days)} days`);

function timeText(time: string, { timeZone, now }: NewsTextOptions): string {
  const clock = formatted(time, timeZone, { timeStyle: 'short' });
  if (datedBy(time, timeZone, now) === undefined) return clock;
  return `${formatted(time, timeZone, { day: 'numeric', month: 'short' })}, ${clock}`;
}
