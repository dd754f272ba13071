/** Characters of a path that the interface takes: `VISIT_LIMITS.pathLength` of the contracts, which browsers don't load. */
export const MAX_PATH_LENGTH = 8_192;

/** Longest line that is read, in bytes. */
export const MAX_LINE_LENGTH = 65_536;
