import type { News, NewsItem, Overview, ReportSection } from '#libs/contracts';
import { formatChange } from '#libs/contracts/change';
import { describeCauses } from '#libs/contracts/change-causes';
import { toDisplayPath } from './display-path.js';
import { createSection, formatCount, formatNumberOf, getAgentName, type ToPageUrl } from './report-format.js';

/** Maximum number of findings per kind. */
const MAX_PER_KIND = 3;

type Finding = ReportSection['items'][number];
type NewsItemOfKind<K extends NewsItem['kind']> = Extract<NewsItem, { kind: K }>;

/**
 * Describes the most important changes and their likely reasons: total visits, errors, new agents, and the agents whose
 * visits changed most.
 *
 * @param news Null if reading it took too long.
 * @returns Null if agents made no visits.
 */
export function describeChanges(
  { current, previous }: Overview,
  news: News | null,
  toPageUrl: ToPageUrl,
): ReportSection | null {
  if (current.agent_visits === 0) return null;
  const select = <K extends NewsItem['kind']>(kind: K) =>
    (news?.items ?? []).filter((item): item is NewsItemOfKind<K> => item.kind === kind).slice(0, MAX_PER_KIND);
  const items: Finding[] = [
    { text: describeTotal(current.agent_visits, previous.agent_visits), detail: '', url: toPageUrl('visits') },
    ...select('errors').map((item) => describeErrors(item, toPageUrl)),
    ...select('new_agent').map((item) => ({
      text: `${getAgentName(item)} visited for the first time: ${formatNumberOf(item.visits, 'visit')}.`,
      detail: '',
      url: toPageUrl(`agents/${item.agent_id}`),
    })),
    ...select('agent_change').map((item) => describeAgentChange(item, toPageUrl)),
  ];
  return createSection('What changed', { items });
}

function describeTotal(now: number, before: number): string {
  if (before === 0) return `Agents made ${formatNumberOf(now, 'visit')}, and none in the period before.`;
  if (now === before) return `Agents made ${formatNumberOf(now, 'visit')}, as many as in the period before.`;
  const direction = now > before ? 'rose' : 'fell';
  return `Agent visits ${direction} from ${formatCount(before)} to ${formatCount(now)} (${formatChange(now, before)}).`;
}

function describeErrors(item: NewsItemOfKind<'errors'>, toPageUrl: ToPageUrl): Finding {
  const { status, visits, previous_visits: before, is_sampled: isSampled, page } = item;
  const comparison =
    before === null || isSampled ? '' : before === 0 ? ', and none before' : `, ${formatCount(before)} before`;
  return {
    text: `Agents got status ${status} ${isSampled ? 'at least ' : ''}${formatNumberOf(visits, 'time')}${comparison}.`,
    detail: `Mostly on ${toDisplayPath(page)}`,
    url: toPageUrl('visits', { status }),
  };
}

function describeAgentChange(item: NewsItemOfKind<'agent_change'>, toPageUrl: ToPageUrl): Finding {
  const { agent_id: id, visits, previous_visits: before, causes } = item;
  const difference = visits - before;
  const change = formatNumberOf(Math.abs(difference), difference > 0 ? 'more visit' : 'fewer visit');
  const text =
    before === 0
      ? `${getAgentName(item)} made ${formatNumberOf(visits, 'visit')}, and none in the period before.`
      : `${getAgentName(item)} made ${change} (${formatChange(visits, before)}).`;
  // Visitors choose the paths, which must not become links in emails.
  const displayCauses = causes?.map((cause) =>
    cause.dimension === 'page' ? { ...cause, value: toDisplayPath(cause.value) } : cause,
  );
  return { text, detail: describeCauses(displayCauses ?? null) ?? '', url: toPageUrl(`agents/${id}`) };
}
