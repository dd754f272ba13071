/** Maximum length of a path in the API. A copy of `VISIT_LIMITS.pathLength`, so browsers don't load the contracts. */
export const MAX_PATH_LENGTH = 8_192;

/** Maximum length of a line in bytes. */
export const MAX_LINE_LENGTH = 65_536;
