/** The parts of a project's settings: what each is called, and what else the palette finds it by. */
export const SETTINGS_TABS = {
  general: { label: 'General', keywords: 'name site address time zone' },
  visits: {
    label: 'Visits',
    keywords: 'client address proxy trusted proxies redacted headers host names unknown visitors retention privacy',
  },
  tokens: { label: 'Tokens', keywords: 'access token report visits create revoke' },
  members: { label: 'Members', keywords: 'people roles invite invitation owner viewer' },
  sharing: { label: 'Sharing', keywords: 'share public link embed frame badge password read only' },
  danger: { label: 'Danger zone', keywords: 'delete remove project' },
} as const;

export type SettingsTab = keyof typeof SETTINGS_TABS;

/** Reads an address; the first tab where it names none. */
export function readSettings(search: Record<string, unknown>): { tab?: SettingsTab } {
  const { tab } = search;
  return typeof tab === 'string' && tab !== 'general' && Object.hasOwn(SETTINGS_TABS, tab)
    ? { tab: tab as SettingsTab }
    : {};
}
