import { AGENT_TYPES, type Overview, type Report, type ReportFigure, type ReportSchedule } from '#libs/contracts';
import { formatChange, formatChangeOfFew, formatPercent, NO_EARLIER_DATA } from '#libs/contracts/change';
import type { CostlyAgents } from './costly-agents.js';
import { mailText } from '../alerts/channels/mail-text.js';
import { toDisplayPath } from './display-path.js';
import { listChanges } from './report-changes.js';

const MAX_ROWS = 5;
const AI_TYPES = AGENT_TYPES.filter((type) => type.split(' ').includes('AI'));

interface ReportOptions {
  project: { id: string; name: string };
  publicUrl: string;
  frequency: ReportSchedule['frequency'];
  /** Start of each day, followed by the end of the last day, in milliseconds since the epoch. */
  days: readonly number[];
  costly: CostlyAgents | null;
}

/** Builds a report from the data of the Overview page, independent of the output format. */
export function buildReport(
  overview: Overview,
  { project, publicUrl, frequency, days, costly }: ReportOptions,
): Report {
  const { current, previous, from, to } = overview;
  const toPageUrl = (path: string, search: Readonly<Record<string, string | readonly string[]>> = {}): string => {
    const query = Object.entries({ from, to, ...search }).flatMap(([name, values]) =>
      [values].flat().map((value): [string, string] => [name, value]),
    );
    return `${publicUrl}/projects/${project.id}/${path}?${new URLSearchParams(query)}`;
  };
  const toFigure = (label: string, now: number, before: number, url: string): ReportFigure => ({
    label,
    value: formatCount(now),
    change: previous.visits === 0 ? NO_EARLIER_DATA : formatChange(now, before),
    url,
  });
  const [share, shareBefore] = [getVerifiedShare(current), getVerifiedShare(previous)];
  const period = formatPeriod(Date.parse(from), Date.parse(to), overview.time_zone);
  const unit = frequency === 'monthly' ? 'month' : 'week';
  const lists = [
    { title: 'Top agents', rows: listAgents(overview, toFigure, toPageUrl) },
    { title: 'Top pages', rows: listPages(overview, toFigure, toPageUrl) },
    ...(costly === null ? [] : [{ title: costly.title, rows: listCostly(costly, toPageUrl) }]),
  ];
  return {
    subject: `[${mailText(project.name, 80)}] ${formatCount(current.agent_visits)} agent visits, ${period}`,
    project: project.name,
    period,
    compared_with: `the previous ${unit}`,
    overview_url: toPageUrl('overview'),
    changes: listChanges(overview, toPageUrl),
    hint:
      current.agent_visits > 0
        ? null
        : current.visits === 0
          ? {
              text: `No visits were reported this ${unit}. If your site had visitors, send a test visit to find out which step fails.`,
              label: 'Send a test visit',
              url: `${publicUrl}/projects/${project.id}/get-started`,
            }
          : {
              text: `No known agents visited your site. People and programs that aren't in the catalog made ${formatCount(current.unknown_agent)} ${current.unknown_agent === 1 ? 'visit' : 'visits'}.`,
              label: 'View unlisted programs',
              url: toPageUrl('unlisted'),
            },
    figures: [
      toFigure('Agent visits', current.agent_visits, previous.agent_visits, toPageUrl('visits')),
      toFigure(
        'AI visits',
        countAiVisits(overview.series),
        countAiVisits(overview.previous_series),
        toPageUrl('visits', { type: AI_TYPES }),
      ),
      {
        ...toFigure('Agents', current.agents, previous.agents, toPageUrl('agents')),
        ...(previous.visits > 0 && { change: formatChangeOfFew(current.agents, previous.agents) }),
      },
      {
        label: 'Verified share',
        value: formatPercent(share),
        change: shareBefore === null || share === null ? NO_EARLIER_DATA : `${formatPercent(shareBefore)} before`,
        url: toPageUrl('visits', { result: 'verified' }),
      },
      toFigure(
        'Spoofed visits',
        current.verification_failed,
        previous.verification_failed,
        toPageUrl('visits', { result: 'verification_failed' }),
      ),
      toFigure(
        'Other visitors',
        current.unknown_agent,
        previous.unknown_agent,
        toPageUrl('visits', { result: 'unknown_agent' }),
      ),
    ],
    lists: lists.filter(({ rows }) => rows.length > 0),
    days: days.slice(0, -1).map((start, index) => ({
      day: formatDay(start, overview.time_zone),
      visits: overview.series
        .filter(({ time }) => Date.parse(time) >= start && Date.parse(time) < days[index + 1]!)
        // Visits by unknown visitors have an empty type and aren't agent visits, so subtract them.
        .reduce((sum, { visits, by_type: byType }) => sum + visits - (byType[''] ?? 0), 0),
    })),
  };
}

type ToFigure = (label: string, now: number, before: number, url: string) => ReportFigure;
type ToPageUrl = (path: string, search?: Readonly<Record<string, string | readonly string[]>>) => string;

const listAgents = ({ top_agents: agents }: Overview, toFigure: ToFigure, toPageUrl: ToPageUrl): ReportFigure[] =>
  agents
    .slice(0, MAX_ROWS)
    .map(({ agent_id: id, agent_token: token, visits, previous_visits: before }) =>
      toFigure(token ?? 'No longer in the catalog', visits, before, toPageUrl(`agents/${id}`)),
    );

const listPages = ({ top_pages: pages }: Overview, toFigure: ToFigure, toPageUrl: ToPageUrl): ReportFigure[] =>
  pages
    .filter(({ path }) => path !== '')
    .slice(0, MAX_ROWS)
    .map(({ path, visits, previous_visits: before }) => ({
      ...toFigure(toDisplayPath(path), visits, before ?? 0, toPageUrl('visits', { path })),
      ...(before === undefined && { change: '' }),
    }));

const listCostly = ({ agents }: CostlyAgents, toPageUrl: ToPageUrl): ReportFigure[] =>
  agents.map(({ agent_id: id, agent_token: token, value }) => ({
    label: token ?? 'No longer in the catalog',
    value,
    change: '',
    url: toPageUrl('load', { agent: token ?? id, not_result: 'verification_failed' }),
  }));

const formatCount = (value: number): string => value.toLocaleString('en-US');

const getVerifiedShare = ({ verified, agent_visits: visits }: Overview['current']): number | null =>
  visits === 0 ? null : verified / visits;

const countAiVisits = (series: Overview['series']): number =>
  series.reduce((sum, { by_type: byType }) => AI_TYPES.reduce((all, type) => all + (byType[type] ?? 0), sum), 0);

/** Formats a date range. `to` is exclusive. */
function formatPeriod(from: number, to: number, timeZone: string): string {
  const text = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone }).formatRange(from, to - 1);
  // Some mail clients display thin spaces as boxes.
  return text.replaceAll('\u2009', ' ');
}

const formatDay = (start: number, timeZone: string): string =>
  new Intl.DateTimeFormat('en-US', { weekday: 'short', month: 'short', day: 'numeric', timeZone }).format(start);
