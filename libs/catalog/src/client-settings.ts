import { internalSettings, serverUrl } from '#libs/platform';

/** Settings of whatever asks the catalog service: to be spread into a specification for `readEnvironment`. */
export const catalogClientSettings = {
  CATALOG_URL: serverUrl('http', 'https')({ desc: 'Address of the catalog service: http://host:3005' }),
  ...internalSettings,
};

/** Settings of whatever asks the rules service: to be spread into a specification for `readEnvironment`. */
export const rulesClientSettings = {
  RULES_URL: serverUrl('http', 'https')({ desc: 'Address of the rules service: http://host:3006' }),
  ...internalSettings,
};
