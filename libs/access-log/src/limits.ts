/** Characters of a path that the interface takes: `VISIT_LIMITS.pathLength` of the contracts, which browsers don't load. */
export const MAX_PATH_LENGTH = 8_192;
