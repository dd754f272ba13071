import { parseAuditSearch, type AuditSearch } from '../../audit-log/search.js';

/** Project settings tabs, with keywords for finding them in the command palette. */
export const SETTINGS_TABS = {
  general: {
    label: 'General',
    keywords:
      'name site address time zone path patterns folders prices cost currency list price toll hosts paid crawling',
  },
  visits: {
    label: 'Visits',
    keywords: 'client address proxy trusted proxies redacted headers host names unknown visitors retention privacy',
  },
  tokens: { label: 'Tokens', keywords: 'access token report visits create revoke' },
  drains: {
    label: 'Log drains',
    keywords: 'cdn logpush cloudflare vercel netlify fastly akamai firehose token in the url static files json mapping',
  },
  members: { label: 'Members', keywords: 'people roles invite invitation owner viewer' },
  sharing: { label: 'Sharing', keywords: 'share public link embed frame badge password read only' },
  alerts: { label: 'Alert channels', keywords: 'notify notification email mail webhook slack discord test' },
  history: {
    label: 'Re-identify',
    keywords: 'history identify earlier visits again reidentify preview catalog change',
  },
  audit: { label: 'Audit log', keywords: 'who changed history security revealed tokens' },
  danger: { label: 'Danger zone', keywords: 'delete remove project' },
} as const;

export type SettingsTab = keyof typeof SETTINGS_TABS;

/** Only the History tab uses `agent`, and only the Audit log tab uses the inherited parameters. */
interface SettingsSearch extends AuditSearch {
  tab?: SettingsTab;
  agent?: string;
}

/** Parses the URL search parameters and ignores invalid ones. Returns no tab for the General tab, which is the default. */
export function parseSettingsSearch(search: Record<string, unknown>): SettingsSearch {
  const { tab, agent } = search;
  if (typeof tab !== 'string' || tab === 'general' || !Object.hasOwn(SETTINGS_TABS, tab)) return {};
  const hasAgent = tab === 'history' && (typeof agent === 'string' || typeof agent === 'number') && agent !== '';
  return {
    tab: tab as SettingsTab,
    ...(hasAgent && { agent: String(agent) }),
    ...(tab === 'audit' && parseAuditSearch(search)),
  };
}
