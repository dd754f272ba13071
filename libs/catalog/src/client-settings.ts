import { internalSettings, serverUrl } from '#libs/platform';

/** Settings for clients of the catalog service. Spread them into a `readEnvironment` specification. */
export const catalogClientSettings = {
  CATALOG_URL: serverUrl('http', 'https')({ desc: 'URL of the catalog service, such as http://host:3005' }),
  ...internalSettings,
};

/** Settings for clients of the rules service. Spread them into a `readEnvironment` specification. */
export const rulesClientSettings = {
  RULES_URL: serverUrl('http', 'https')({ desc: 'URL of the rules service, such as http://host:3006' }),
  ...internalSettings,
};
