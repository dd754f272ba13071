import type { Compliance, NewsItem, ReportSection } from '#libs/contracts';
import { formatChange, formatPercent } from '#libs/contracts/change';
import { describeCauses } from '#libs/contracts/change-causes';
import { toDisplayPath } from './display-path.js';
import { describeCause, findRiseCause, type RiseCause } from './report-cause.js';
import type { ReportData } from './report-data.js';
import { createSection, formatCount, formatNumberOf, getAgentName, type ToPageUrl } from './report-format.js';

/** Maximum number of findings per kind. */
const MAX_PER_KIND = 3;
/** Minimum change of a listed figure, relative to the period before. */
const MIN_CHANGE = 0.5;
/** Minimum change of the verified share. */
const MIN_SHARE_CHANGE = 0.1;
/** Minimum count, in either period, for a listed figure. */
const MIN_COUNT = 10;

type Finding = ReportSection['items'][number];
type NewsItemOfKind<K extends NewsItem['kind']> = Extract<NewsItem, { kind: K }>;

/**
 * Describes the most important changes and their likely reasons: the network behind a rise, total visits and other
 * figures that changed by a lot, errors, new agents, and the agents whose visits changed most.
 *
 * @returns Null if agents made no visits.
 */
export function describeChanges(data: ReportData, toPageUrl: ToPageUrl): ReportSection | null {
  const {
    overview: { current },
    news,
  } = data;
  if (current.agent_visits === 0) return null;
  const select = <K extends NewsItem['kind']>(kind: K) =>
    (news?.items ?? []).filter((item): item is NewsItemOfKind<K> => item.kind === kind).slice(0, MAX_PER_KIND);
  const cause = findRiseCause(data);
  const items: Finding[] = [
    ...(cause === null ? [] : [{ text: `${describeCause(cause)}.`, detail: '', url: toCauseUrl(cause, toPageUrl) }]),
    ...describeFigures(data, toPageUrl),
    ...select('errors').map((item) => describeErrors(item, toPageUrl)),
    ...select('new_agent').map((item) => ({
      text: `${getAgentName(item)} visited for the first time: ${formatNumberOf(item.visits, 'visit')}.`,
      detail: '',
      url: toPageUrl(`agents/${item.agent_id}`),
    })),
    ...select('agent_change').map((item) => describeAgentChange(item, data, toPageUrl)),
  ];
  return createSection('What changed', { items });
}

function describeTotal(now: number, before: number): string {
  if (before === 0) return `Agents made ${formatNumberOf(now, 'visit')}, and none in the period before.`;
  if (now === before) return `Agents made ${formatNumberOf(now, 'visit')}, as many as in the period before.`;
  const direction = now > before ? 'rose' : 'fell';
  return `Agent visits ${direction} from ${formatCount(before)} to ${formatCount(now)} (${formatChange(now, before)}).`;
}

const toCauseUrl = ({ network, agents, visits, spoofed }: RiseCause, toPageUrl: ToPageUrl): string =>
  toPageUrl('visits', {
    address: network,
    agent: agents.map((agent) => agent.agent_token ?? agent.agent_id),
    result: spoofed === visits ? 'verification_failed' : ['verification_failed', 'not_verifiable'],
  });

/** Returns true if a figure changed so much that the report mentions it. */
export const isLargeChange = (now: number, before: number): boolean =>
  Math.max(now, before) >= MIN_COUNT && Math.abs(now - before) >= before * MIN_CHANGE;

/** Lists total visits, and the other figures that changed by a lot, with the largest change first. */
function describeFigures(
  { overview: { current, previous }, referrals, compliance, previousCompliance }: ReportData,
  toPageUrl: ToPageUrl,
): Finding[] {
  const total = describeTotal(current.agent_visits, previous.agent_visits);
  const changes: { finding: Finding; factor: number }[] = [
    {
      finding: { text: total, detail: '', url: toPageUrl('visits') },
      factor: getFactor(current.agent_visits, previous.agent_visits),
    },
  ];
  const add = (subject: string, now: number, before: number, url: string): void => {
    if (!isLargeChange(now, before)) return;
    const text = `${subject} ${now > before ? 'rose' : 'fell'} from ${formatCount(before)} to ${formatCount(now)} (${formatChange(now, before)}).`;
    changes.push({ finding: { text, detail: '', url }, factor: getFactor(now, before) });
  };
  if (referrals !== null) {
    add('People sent by AI', referrals.referrals, referrals.previous_referrals, toPageUrl('referrals'));
  }
  if (compliance !== null && previousCompliance !== null) {
    const { disallowed } = previousCompliance.totals;
    add('Disallowed requests', compliance.totals.disallowed, disallowed, toPageUrl('compliance'));
  }
  add(
    'Visits that failed verification',
    current.verification_failed,
    previous.verification_failed,
    toPageUrl('visits', { result: 'verification_failed' }),
  );
  const findings = changes.toSorted((one, other) => other.factor - one.factor).map(({ finding }) => finding);
  const share = current.verified / current.agent_visits;
  const shareBefore = previous.verified / previous.agent_visits;
  const isShareKnown = Math.min(current.agent_visits, previous.agent_visits) >= MIN_COUNT;
  if (isShareKnown && Math.abs(share - shareBefore) >= MIN_SHARE_CHANGE) {
    findings.push({
      text: `The verified share ${share > shareBefore ? 'rose' : 'fell'} from ${formatPercent(shareBefore)} to ${formatPercent(share)} (${formatChange(share, shareBefore, true)}).`,
      detail: '',
      url: toPageUrl('visits', { result: 'verified' }),
    });
  }
  return findings;
}

/** Returns the factor of a rise or fall, at least 1. */
const getFactor = (now: number, before: number): number => (Math.max(now, before) + 1) / (Math.min(now, before) + 1);

function describeErrors(item: NewsItemOfKind<'errors'>, toPageUrl: ToPageUrl): Finding {
  const { status, visits, previous_visits: before, is_sampled: isSampled, page, page_visits: onPage } = item;
  const comparison =
    before === null || isSampled
      ? ''
      : before === 0
        ? ', up from none'
        : `, ${visits > before ? 'up' : 'down'} from ${formatCount(before)}`;
  const errors = formatNumberOf(visits, `${status === '5xx' ? 'server' : 'client'} error`);
  return {
    text: `Agents got ${isSampled ? 'at least ' : ''}${errors} (${status})${comparison}.`,
    detail:
      onPage > visits / 2
        ? `Mostly on ${toDisplayPath(page)}`
        : `Most often on ${toDisplayPath(page)} (${formatCount(onPage)})`,
    url: toPageUrl('visits', { status }),
  };
}

function describeAgentChange(
  item: NewsItemOfKind<'agent_change'>,
  { compliance, previousCompliance }: ReportData,
  toPageUrl: ToPageUrl,
): Finding {
  const { agent_id: id, visits, previous_visits: before, causes } = item;
  const difference = visits - before;
  const change = formatNumberOf(Math.abs(difference), difference > 0 ? 'more visit' : 'fewer visit');
  const text =
    before === 0
      ? `${getAgentName(item)} made ${formatNumberOf(visits, 'visit')}, and none in the period before.`
      : `${getAgentName(item)} made ${change} (${formatChange(visits, before)}).`;
  const countSpoofed = (of: Compliance): number => of.agents.find((agent) => agent.agent_id === id)?.spoofed ?? 0;
  const moreSpoofed =
    compliance && previousCompliance ? countSpoofed(compliance) - countSpoofed(previousCompliance) : 0;
  if (difference < 0 && moreSpoofed >= -difference / 2) {
    const detail = `${formatNumberOf(moreSpoofed, 'more visit')} under its name failed verification`;
    return { text, detail, url: toPageUrl(`agents/${id}`) };
  }
  // Visitors choose the paths, which must not become links in emails.
  const displayCauses = causes?.map((cause) =>
    cause.dimension === 'page' ? { ...cause, value: toDisplayPath(cause.value) } : cause,
  );
  return { text, detail: describeCauses(displayCauses ?? null) ?? '', url: toPageUrl(`agents/${id}`) };
}
