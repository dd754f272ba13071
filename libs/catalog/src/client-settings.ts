import { internalSettings, serverUrl } from '#libs/platform';

/** Settings for clients of the catalog service. Spread them into a specification for `readEnvironment`. */
export const catalogClientSettings = {
  CATALOG_URL: serverUrl('http', 'https')({ desc: 'Address of the catalog service: http://host:3005' }),
  ...internalSettings,
};

/** Settings for clients of the rules service. Spread them into a specification for `readEnvironment`. */
export const rulesClientSettings = {
  RULES_URL: serverUrl('http', 'https')({ desc: 'Address of the rules service: http://host:3006' }),
  ...internalSettings,
};
