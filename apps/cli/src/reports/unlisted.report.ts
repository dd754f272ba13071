import { automationSign } from '#libs/agents';
import type { Unlisted, UnlistedGroup } from '#libs/contracts';
import { count, localTime, plural } from '../terminal-text.js';
import { reportRows, type Report } from './report.js';

/** Maximum length of a user agent in the table. */
const SHOWN = 60;

const short = (text: string): string => (text.length <= SHOWN ? text : `${text.slice(0, SHOWN - 1)}…`);
const signsOf = ({ signs }: UnlistedGroup): string => signs.map((sign) => automationSign(sign).label).join(', ');
const networksOf = ({ networks }: UnlistedGroup): string =>
  networks
    .map(({ prefix, client_network: owner }) => [prefix, owner?.operator_name].filter(Boolean).join(' '))
    .join(', ');

export const unlistedReport: Report<'/api/projects/{id}/unlisted'> = {
  name: 'unlisted',
  description: 'programs that no agent in the catalog matches, by user agent',
  path: '/api/projects/{id}/unlisted',
  help: `
User agents are grouped without their versions; * stands for what was left out.
LIKELY are visits that a program likely made; the others have a single sign,
which people's browsers can have, too.`,
  read: ({ likely, unclear, groups, other_groups: more, dismissed_visits: dismissed }: Unlisted) => ({
    ...reportRows<UnlistedGroup>(groups, [
      {
        heading: 'User agent',
        value: (group) => group.user_agent_group,
        text: (group) => short(group.user_agent_group),
      },
      { heading: 'Visits', value: (group) => group.visits },
      { heading: 'Likely', value: (group) => group.likely },
      { heading: 'Signs', value: signsOf },
      { heading: 'Networks', value: networksOf, isOnlyInCsv: true },
      { heading: 'Paths', value: ({ paths }) => paths.join(' '), isOnlyInCsv: true },
      { heading: 'First seen', value: (group) => group.first_seen_at, isOnlyInCsv: true },
      { heading: 'Last seen', value: (group) => group.last_seen_at, text: (group) => localTime(group.last_seen_at) },
    ]),
    summary: [
      `${plural(likely, 'visit')} likely made by programs, ${count(unclear)} unclear.`,
      ...(more > 0 ? [`Not shown: ${plural(more, 'user agent')}.`] : []),
      ...(dismissed > 0 ? [`Dismissed: ${plural(dismissed, 'visit')}.`] : []),
    ].join(' '),
    empty: 'No unlisted programs visited in this range.',
  }),
};
