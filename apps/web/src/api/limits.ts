// From the declared limits: npm run api-types
/** Deliveries of alerts that are listed, newest first. */
export const MAX_ALERT_DELIVERIES = 100;
/** Times that alerts fired, of which the newest are listed. */
export const MAX_ALERT_EVENTS = 200;
/** Days that a range can span. */
export const MAX_DAYS_OF_RANGE = 7305;
/** Visits that are looked at, newest first, for what is not counted. */
export const MAX_SAMPLED_VISITS = 5000;
