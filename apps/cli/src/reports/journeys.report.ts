import type { JourneySummary } from '#libs/contracts';
import { localTime, plural } from '../terminal-text.js';
import { buildRows, type Report } from './report.js';

interface Row {
  list: string;
  page: string;
  sessions: number;
}

const toList = ({ status }: { status: number | null }): string => (status === null ? 'loop' : `status ${status}`);

export const journeysReport: Report<'/api/projects/{id}/journey-summary'> = {
  name: 'journeys',
  description: "where sessions of agents that act at a person's request start, end and get stuck",
  path: '/api/projects/{id}/journey-summary',
  help: `
A session contains the visits of one agent or program from the same network, with
pauses of at most 30 minutes. Crawlers have no sessions. A dead end is an error
status, or the same request three times or more in a session (loop). Errors for paths
that vulnerability scanners request and status 402, 429 and 451 don't count, because
the site refused these visits on purpose.`,
  read: (summary: JourneySummary) => {
    const list = (name: string, pages: JourneySummary['entries']): Row[] =>
      pages.map(({ page, sessions }) => ({ list: name, page, sessions }));
    const rows = [
      ...list('entry', summary.entries),
      ...list('exit', summary.exits),
      ...summary.dead_end_causes.map((cause) => ({ list: toList(cause), page: '(all)', sessions: cause.sessions })),
      ...summary.dead_ends.map((deadEnd) => ({ list: toList(deadEnd), ...deadEnd })),
      ...list('before checkout', summary.before_checkout),
    ];
    return {
      ...buildRows<Row>(rows, [
        { heading: 'List', value: (row) => row.list },
        { heading: 'Page', value: ({ page }) => page },
        { heading: 'Sessions', value: ({ sessions }) => sessions },
      ]),
      summary: [
        `${plural(summary.sessions, 'session')} by ${plural(summary.visitors, 'visitor')}.`,
        `With a dead end: ${summary.dead_end_sessions}. Refused on purpose: ${summary.refused_sessions}. With a checkout: ${summary.checkout_sessions}.`,
        ...(summary.computed_from === summary.from
          ? []
          : [`Only covers sessions that ended since ${localTime(summary.computed_from)}.`]),
      ].join(' '),
      empty: 'No sessions in this range.',
    };
  },
};
