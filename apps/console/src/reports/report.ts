import { AGENT_TYPES, type Overview } from '#libs/contracts';
import { toDisplayPath } from './display-path.js';

const MAX_ROWS = 5;
const AI_TYPES = AGENT_TYPES.filter((type) => type.split(' ').includes('AI'));

export interface ReportFigure {
  label: string;
  value: string;
  /** Change since the previous week, such as `+12%`, or empty if unknown. */
  change: string;
  url: string;
}

/** Content of a weekly report, independent of the output format. */
export interface WeeklyReport {
  project: string;
  /** Date range, such as `16 – 22 November 2026`. */
  week: string;
  overviewUrl: string;
  /** Advice if the week had no agent visits, otherwise null. */
  hint: { text: string; label: string; url: string } | null;
  numbers: ReportFigure[];
  agents: ReportFigure[];
  pages: ReportFigure[];
  /** Number of agent visits on each day. */
  days: number[];
}

interface ReportOptions {
  project: { id: string; name: string };
  publicUrl: string;
  /** Start of each day, followed by the end of the last day, in milliseconds since the epoch. */
  days: readonly number[];
}

/** Builds a weekly report from the data of the Overview page. */
export function buildWeeklyReport(overview: Overview, { project, publicUrl, days }: ReportOptions): WeeklyReport {
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
    change: formatChange(now, before),
    url,
  });
  const [share, shareBefore] = [getVerifiedShare(current), getVerifiedShare(previous)];
  return {
    project: project.name,
    week: formatWeek(Date.parse(from), Date.parse(to), overview.time_zone),
    overviewUrl: toPageUrl('overview'),
    hint:
      current.agent_visits > 0
        ? null
        : current.visits === 0
          ? {
              text: 'No visits were reported this week. If your site had visitors, send a test visit to find out which step fails.',
              label: 'Send a test visit',
              url: `${publicUrl}/projects/${project.id}/get-started`,
            }
          : {
              text: `No known agents visited your site. People and programs that aren't in the catalog made ${formatCount(current.unknown_agent)} ${current.unknown_agent === 1 ? 'visit' : 'visits'}.`,
              label: 'View unlisted programs',
              url: toPageUrl('unlisted'),
            },
    numbers: [
      toFigure('Agent visits', current.agent_visits, previous.agent_visits, toPageUrl('visits')),
      toFigure(
        'AI visits',
        countAiVisits(overview.series),
        countAiVisits(overview.previous_series),
        toPageUrl('visits', { type: AI_TYPES }),
      ),
      toFigure('Agents', current.agents, previous.agents, toPageUrl('agents')),
      {
        label: 'Verified share',
        value: formatPercent(share),
        change: shareBefore === null || share === null ? 'no previous data' : `${formatPercent(shareBefore)} before`,
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
    agents: overview.top_agents
      .slice(0, MAX_ROWS)
      .map(({ agent_id: id, agent_token: token, visits, previous_visits: before }) =>
        toFigure(token ?? 'No longer in the catalog', visits, before, toPageUrl(`agents/${id}`)),
      ),
    pages: overview.top_pages
      .filter(({ path }) => path !== '')
      .slice(0, MAX_ROWS)
      .map(({ path, visits, previous_visits: before }) => ({
        ...toFigure(toDisplayPath(path), visits, before ?? 0, toPageUrl('visits', { path })),
        ...(before === undefined && { change: '' }),
      })),
    days: days.slice(0, -1).map((start, index) =>
      overview.series
        .filter(({ time }) => Date.parse(time) >= start && Date.parse(time) < days[index + 1]!)
        // Visits by unknown visitors have an empty type and aren't agent visits, so subtract them.
        .reduce((sum, { visits, by_type: byType }) => sum + visits - (byType[''] ?? 0), 0),
    ),
  };
}

const formatCount = (value: number): string => value.toLocaleString('en-US');
const formatPercent = (share: number | null): string => (share === null ? '–' : `${Math.round(100 * share)}%`);

const getVerifiedShare = ({ verified, agent_visits: visits }: Overview['current']): number | null =>
  visits === 0 ? null : verified / visits;

const countAiVisits = (series: Overview['series']): number =>
  series.reduce((sum, { by_type: byType }) => AI_TYPES.reduce((all, type) => all + (byType[type] ?? 0), sum), 0);

function formatChange(now: number, before: number): string {
  if (now === before) return 'unchanged';
  if (before === 0) return 'new';
  const ratio = now / before;
  if (ratio >= 10) return `×${Math.round(ratio)}`;
  const change = Math.round(100 * (ratio - 1));
  return change === 0 ? 'about the same' : `${change < 0 ? '−' : '+'}${Math.abs(change)}%`;
}

/** Formats a date range. `to` is exclusive. */
function formatWeek(from: number, to: number, timeZone: string): string {
  const text = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone }).formatRange(from, to - 1);
  // Some mail clients display thin spaces as boxes.
  return text.replaceAll('\u2009', ' ');
}
