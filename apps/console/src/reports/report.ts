import type { Overview, Report, ReportFigure, ReportSection } from '#libs/contracts';
import { formatChange, formatChangeOfFew, formatPercent } from '#libs/contracts/change';
import { mailText } from '../alerts/channels/mail-text.js';
import type { CostlyAgents } from './costly-agents.js';
import { toDisplayPath } from './display-path.js';
import type { ReportData } from './report-data.js';
import { describeCause, findRiseCause, listAgents } from './report-cause.js';
import { describeChanges, isLargeChange } from './report-changes.js';
import type { ReportedPeriod } from './report-period.js';
import { createSection, formatCount, formatNumberOf, getAgentName, type ToPageUrl } from './report-format.js';
import { describeCompliance, describeReferrals, describeSpoofing } from './report-sections.js';

const MAX_ROWS = 5;

interface ReportOptions {
  project: { id: string; name: string };
  publicUrl: string;
  reported: Pick<ReportedPeriod, 'name' | 'comparedWith'>;
  /** Start of each day, followed by the end of the last day, in milliseconds since the epoch. */
  days: readonly number[];
}

/** Builds a report from the data of the dashboard's pages, independent of the output format. */
export function buildReport(data: ReportData, { project, publicUrl, reported, days }: ReportOptions): Report {
  const { overview, isCompared, referrals, compliance, costly } = data;
  const { current, from, to } = overview;
  const toPageUrl: ToPageUrl = (path, search = {}) => {
    const query = Object.entries({ from, to, ...search }).flatMap(([name, values]) =>
      [values].flat().map((value): [string, string] => [name, value]),
    );
    return `${publicUrl}/projects/${project.id}/${path}?${new URLSearchParams(query)}`;
  };
  const period = formatPeriod(Date.parse(from), Date.parse(to), overview.time_zone);
  const title = `${reported.name}, ${period}`;
  const sections = [
    referrals && describeReferrals(referrals, isCompared, toPageUrl),
    compliance && describeCompliance(compliance, toPageUrl),
    compliance && describeSpoofing(compliance, data, toPageUrl),
    costly && describeCosts(costly, toPageUrl),
    describeAgents(data, toPageUrl),
    describePages(data, toPageUrl),
  ].filter((section) => section !== null);
  return {
    subject: `[${mailText(project.name, 80)}] ${title}: ${formatNumberOf(current.agent_visits, 'agent visit')}`,
    title,
    project: project.name,
    period,
    compared_with: isCompared ? reported.comparedWith : null,
    summary: summarize(data),
    overview_url: toPageUrl('overview'),
    hint: getHint(current, { toPageUrl, setupUrl: `${publicUrl}/projects/${project.id}/get-started` }),
    figures: listFigures(data, toPageUrl),
    changes: isCompared ? describeChanges(data, toPageUrl) : null,
    sections: current.agent_visits + (referrals?.referrals ?? 0) > 0 ? sections : [],
    days: days.slice(0, -1).map((start, index) => ({
      day: formatDay(start, overview.time_zone),
      visits: overview.series
        .filter(({ time }) => Date.parse(time) >= start && Date.parse(time) < days[index + 1]!)
        // Visits by unknown visitors have an empty type and aren't agent visits, so subtract them.
        .reduce((sum, { visits, by_type: byType }) => sum + visits - (byType[''] ?? 0), 0),
    })),
  };
}

/** Sums up the period. Starts with failed verification if it changed a lot, and names the cause of a rise. */
function summarize(data: ReportData): string {
  const {
    overview: { current, previous },
    isCompared,
    referrals,
  } = data;
  const withChange = (text: string, now: number, before: number) =>
    !isCompared || now === 0 ? text : `${text} (${formatChange(now, before)})`;
  const visits = withChange(
    `made ${formatNumberOf(current.agent_visits, 'visit')}`,
    current.agent_visits,
    previous.agent_visits,
  );
  const people =
    referrals === null
      ? null
      : `sent ${withChange(
          referrals.referrals === 0 ? 'no one' : `at least ${formatNumberOf(referrals.referrals, 'person', 'people')}`,
          referrals.referrals,
          referrals.previous_referrals,
        )}`;
  const failed = [current.verification_failed, previous.verification_failed] as const;
  const cause = findRiseCause(data);
  const isFailedFirst = isCompared && isLargeChange(...failed);
  if (!isFailedFirst && cause === null) {
    return people === null ? `Agents ${visits}.` : `AI assistants ${people}, and agents ${visits}.`;
  }
  const explains = cause !== null && failed[0] > failed[1] && cause.spoofed >= (failed[0] - failed[1]) / 2;
  const posing = cause === null ? '' : `, mostly because ${cause.network} posed as ${listAgents(cause.agents)}`;
  return [
    ...(isFailedFirst
      ? [
          `${formatNumberOf(failed[0], 'visit')} failed verification (${formatChange(...failed)})${explains ? posing : ''}.`,
        ]
      : []),
    `Agents ${visits}${
      cause === null
        ? ''
        : isFailedFirst && explains
          ? `, ${formatCount(cause.visits)} of them from this network`
          : `, mostly because ${describeCause(cause)}`
    }.`,
    ...(people === null ? [] : [`AI assistants ${people}.`]),
  ].join(' ');
}

/** Returns advice if agents made no visits. */
function getHint(
  current: Overview['current'],
  { toPageUrl, setupUrl }: { toPageUrl: ToPageUrl; setupUrl: string },
): Report['hint'] {
  if (current.agent_visits > 0) return null;
  if (current.visits > 0) {
    return {
      text: `No known agents visited your site. People and programs that aren't in the catalog made ${formatNumberOf(current.unknown_agent, 'visit')}.`,
      label: 'View unlisted programs',
      url: toPageUrl('unlisted'),
    };
  }
  return {
    text: 'No visits were reported in this period. If your site had visitors, send a test visit to find out which step fails.',
    label: 'Send a test visit',
    url: setupUrl,
  };
}

function listFigures(
  { overview, isCompared, referrals, compliance, previousCompliance }: ReportData,
  toPageUrl: ToPageUrl,
): ReportFigure[] {
  const { current, previous } = overview;
  const [share, shareBefore] = [getVerifiedShare(current), getVerifiedShare(previous)];
  const toFigure = (label: string, now: number, before: number, url: string): ReportFigure => ({
    label,
    value: formatCount(now),
    change: isCompared ? formatChange(now, before) : '',
    detail: '',
    url,
  });
  return [
    ...(referrals === null
      ? []
      : [toFigure('People sent by AI', referrals.referrals, referrals.previous_referrals, toPageUrl('referrals'))]),
    toFigure('Agent visits', current.agent_visits, previous.agent_visits, toPageUrl('visits')),
    {
      ...toFigure('Agents', current.agents, previous.agents, toPageUrl('agents')),
      ...(isCompared && { change: formatChangeOfFew(current.agents, previous.agents) }),
    },
    {
      label: 'Verified share',
      value: formatPercent(share),
      change: !isCompared || shareBefore === null || share === null ? '' : formatChange(share, shareBefore, true),
      detail: '',
      url: toPageUrl('visits', { result: 'verified' }),
    },
    ...(compliance === null
      ? []
      : [
          {
            ...toFigure(
              'Disallowed requests',
              compliance.totals.disallowed,
              previousCompliance?.totals.disallowed ?? 0,
              toPageUrl('compliance'),
            ),
            ...(previousCompliance === null && { change: '' }),
          },
        ]),
    toFigure(
      'Failed verification',
      current.verification_failed,
      previous.verification_failed,
      toPageUrl('visits', { result: 'verification_failed' }),
    ),
  ];
}

const describeCosts = ({ title, text, unit, agents }: CostlyAgents, toPageUrl: ToPageUrl): ReportSection =>
  createSection(title, {
    text,
    unit,
    rows: agents.map((agent) => ({
      label: getAgentName(agent),
      value: agent.value,
      change: '',
      detail: `${formatPercent(agent.share)} of the total`,
      url: toPageUrl('load', { agent: agent.agent_token ?? agent.agent_id, not_result: 'verification_failed' }),
    })),
  });

function describeAgents(
  { overview: { top_agents: agents }, isCompared }: ReportData,
  toPageUrl: ToPageUrl,
): ReportSection | null {
  if (agents.length === 0) return null;
  return createSection('Top agents', {
    unit: 'Visits',
    rows: agents.slice(0, MAX_ROWS).map((agent) => ({
      label: getAgentName(agent),
      value: formatCount(agent.visits),
      change: isCompared ? formatChange(agent.visits, agent.previous_visits) : '',
      detail: '',
      url: toPageUrl(`agents/${agent.agent_id}`),
    })),
  });
}

function describePages(
  { overview: { top_pages: pages }, isCompared }: ReportData,
  toPageUrl: ToPageUrl,
): ReportSection | null {
  const rows = pages
    .filter(({ path }) => path !== '')
    .slice(0, MAX_ROWS)
    .map(({ path, visits, previous_visits: before }) => ({
      label: toDisplayPath(path),
      value: formatCount(visits),
      change: before === undefined || !isCompared ? '' : formatChange(visits, before),
      detail: '',
      url: toPageUrl('visits', { path }),
    }));
  return rows.length === 0 ? null : createSection('Top pages', { unit: 'Visits', rows });
}

const getVerifiedShare = ({ verified, agent_visits: visits }: Overview['current']): number | null =>
  visits === 0 ? null : verified / visits;

/** Formats a date range. `to` is exclusive. */
function formatPeriod(from: number, to: number, timeZone: string): string {
  const text = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone }).formatRange(from, to - 1);
  // Some mail clients display thin spaces as boxes.
  return text.replaceAll('\u2009', ' ');
}

const formatDay = (start: number, timeZone: string): string =>
  new Intl.DateTimeFormat('en-US', { weekday: 'short', month: 'short', day: 'numeric', timeZone }).format(start);
