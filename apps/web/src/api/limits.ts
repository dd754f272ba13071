// From the declared limits: npm run api-types
/** Days that a range can span. */
export const MAX_DAYS_OF_RANGE = 7305;
/** Visits that are looked at, newest first, for what is not counted. */
export const MAX_SAMPLED_VISITS = 5000;
