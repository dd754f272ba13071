import { describeAutomationSign } from '#libs/agents';
import type { Unlisted, UnlistedGroup } from '#libs/contracts';
import { count, localTime, plural } from '../terminal-text.js';
import { buildRows, type Report } from './report.js';

/** Maximum length, in characters, of a user agent in the table. */
const MAX_USER_AGENT_LENGTH = 60;

const truncateUserAgent = (text: string): string =>
  text.length <= MAX_USER_AGENT_LENGTH ? text : `${text.slice(0, MAX_USER_AGENT_LENGTH - 1)}…`;
const formatSigns = ({ signs }: UnlistedGroup): string =>
  signs.map((sign) => describeAutomationSign(sign).label).join(', ');
const formatNetworks = ({ networks }: UnlistedGroup): string =>
  networks
    .map(({ prefix, client_network: owner }) => [prefix, owner?.operator_name].filter(Boolean).join(' '))
    .join(', ');

export const unlistedReport: Report<'/api/projects/{id}/unlisted'> = {
  name: 'unlisted',
  description: 'programs that match no agent in the catalog, by user agent',
  path: '/api/projects/{id}/unlisted',
  help: `
User agents are grouped without their versions. * replaces the omitted parts.
LIKELY counts visits that were likely made by a program. The other visits show only
a single sign of automation, which can also occur in people's browsers.`,
  read: ({ likely, unclear, groups, other_groups: more, dismissed_visits: dismissed }: Unlisted) => ({
    ...buildRows<UnlistedGroup>(groups, [
      {
        heading: 'User agent',
        value: (group) => group.user_agent_group,
        text: (group) => truncateUserAgent(group.user_agent_group),
      },
      { heading: 'Visits', value: (group) => group.visits },
      { heading: 'Likely', value: (group) => group.likely },
      { heading: 'Signs', value: formatSigns },
      { heading: 'Networks', value: formatNetworks, isOnlyInCsv: true },
      { heading: 'Paths', value: ({ paths }) => paths.join(' '), isOnlyInCsv: true },
      { heading: 'Probed paths', value: ({ probed_paths: paths }) => paths.join(' '), isOnlyInCsv: true },
      { heading: 'First seen', value: (group) => group.first_seen_at, isOnlyInCsv: true },
      { heading: 'Last seen', value: (group) => group.last_seen_at, text: (group) => localTime(group.last_seen_at) },
    ]),
    summary: [
      `${plural(likely, 'visit')} likely made by programs, ${count(unclear)} unclear.`,
      ...(more > 0 ? [`Not shown: ${plural(more, 'user agent')}.`] : []),
      ...(dismissed > 0 ? [`Dismissed: ${plural(dismissed, 'visit')}.`] : []),
    ].join(' '),
    empty: 'No visits by unlisted programs in this range.',
  }),
};
