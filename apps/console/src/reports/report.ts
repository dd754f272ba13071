import { AGENT_TYPES, type Overview } from '#libs/contracts';
import { shownPath } from './shown-path.js';

const MAX_ROWS = 5;
const AI_TYPES = AGENT_TYPES.filter((type) => type.split(' ').includes('AI'));

export interface ReportedNumber {
  label: string;
  value: string;
  /** For example `+12 %`. */
  change: string;
  url: string;
}

/** Content of a weekly report, independent of its format. */
export interface WeeklyReport {
  project: string;
  /** For example `16 – 22 November 2026`. */
  week: string;
  overviewUrl: string;
  /** Advice after a week without agent visits; null for other weeks. */
  hint: { text: string; label: string; url: string } | null;
  numbers: ReportedNumber[];
  agents: ReportedNumber[];
  pages: ReportedNumber[];
  /** Agent visits per day. */
  days: number[];
}

interface ReportOptions {
  project: { id: string; name: string };
  publicUrl: string;
  /** Start of each day, followed by the end of the last day. */
  days: readonly number[];
}

/** Creates a weekly report from an overview. The numbers are those of the overview page. */
export function weeklyReport(overview: Overview, { project, publicUrl, days }: ReportOptions): WeeklyReport {
  const { current, previous, from, to } = overview;
  const page = (path: string, search: Readonly<Record<string, string | readonly string[]>> = {}): string => {
    const query = Object.entries({ from, to, ...search }).flatMap(([name, values]) =>
      [values].flat().map((value): [string, string] => [name, value]),
    );
    return `${publicUrl}/projects/${project.id}/${path}?${new URLSearchParams(query)}`;
  };
  const number = (label: string, now: number, before: number, url: string): ReportedNumber => ({
    label,
    value: count(now),
    change: changeText(now, before),
    url,
  });
  const [share, shareBefore] = [shareOf(current), shareOf(previous)];
  return {
    project: project.name,
    week: weekText(Date.parse(from), Date.parse(to), overview.time_zone),
    overviewUrl: page('overview'),
    hint:
      current.agent_visits > 0
        ? null
        : current.visits === 0
          ? {
              text: 'No visits were reported in this week. If the site had visitors, send a test visit: it says which step fails.',
              label: 'Send a test visit',
              url: `${publicUrl}/projects/${project.id}/get-started`,
            }
          : {
              text: `No known agent came. People, or programs that the catalog does not list, made ${count(current.unknown_agent)} ${current.unknown_agent === 1 ? 'visit' : 'visits'}.`,
              label: 'Look at unlisted programs',
              url: page('unlisted'),
            },
    numbers: [
      number('Agent visits', current.agent_visits, previous.agent_visits, page('visits')),
      number(
        'AI visits',
        aiVisits(overview.series),
        aiVisits(overview.previous_series),
        page('visits', { type: AI_TYPES }),
      ),
      number('Agents', current.agents, previous.agents, page('agents')),
      {
        label: 'Verified share',
        value: percent(share),
        change: shareBefore === null || share === null ? 'no previous data' : `${percent(shareBefore)} before`,
        url: page('visits', { result: 'verified' }),
      },
      number(
        'Spoofed visits',
        current.verification_failed,
        previous.verification_failed,
        page('visits', { result: 'verification_failed' }),
      ),
      number(
        'Other visitors',
        current.unknown_agent,
        previous.unknown_agent,
        page('visits', { result: 'unknown_agent' }),
      ),
    ],
    agents: overview.top_agents
      .slice(0, MAX_ROWS)
      .map(({ agent_id: id, agent_token: token, visits, previous_visits: before }) =>
        number(token ?? 'No longer in the catalog', visits, before, page(`agents/${id}`)),
      ),
    pages: overview.top_pages
      .filter(({ path }) => path !== '')
      .slice(0, MAX_ROWS)
      .map(({ path, visits, previous_visits: before }) => ({
        ...number(shownPath(path), visits, before ?? 0, page('visits', { path })),
        ...(before === undefined && { change: '' }),
      })),
    days: days.slice(0, -1).map((start, index) =>
      overview.series
        .filter(({ time }) => Date.parse(time) >= start && Date.parse(time) < days[index + 1]!)
        // Subtract unknown visitors, whose type is empty.
        .reduce((sum, { visits, by_type: byType }) => sum + visits - (byType[''] ?? 0), 0),
    ),
  };
}

const count = (value: number): string => value.toLocaleString('en-US');
const percent = (share: number | null): string => (share === null ? '–' : `${Math.round(100 * share)} %`);

const shareOf = ({ verified, agent_visits: visits }: Overview['current']): number | null =>
  visits === 0 ? null : verified / visits;

const aiVisits = (series: Overview['series']): number =>
  series.reduce((sum, { by_type: byType }) => AI_TYPES.reduce((all, type) => all + (byType[type] ?? 0), sum), 0);

/** Returns the change since the previous week as a short text. */
function changeText(now: number, before: number): string {
  if (now === before) return 'unchanged';
  if (before === 0) return 'new';
  const ratio = now / before;
  if (ratio >= 10) return `×${Math.round(ratio)}`;
  const change = Math.round(100 * (ratio - 1));
  return change === 0 ? 'about the same' : `${change < 0 ? '−' : '+'}${Math.abs(change)} %`;
}

/** @param to exclusive. */
function weekText(from: number, to: number, timeZone: string): string {
  const text = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone }).formatRange(from, to - 1);
  // Some mail clients show thin spaces as boxes.
  return text.replaceAll('\u2009', ' ');
}
