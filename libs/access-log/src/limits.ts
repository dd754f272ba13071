/** Copy of `VISIT_LIMITS.pathLength`, so that browsers don't have to load the contracts. */
export const MAX_PATH_LENGTH = 8_192;

/** Maximum line length in bytes. */
export const MAX_LINE_LENGTH = 65_536;
