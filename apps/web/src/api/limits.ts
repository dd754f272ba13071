// From the declared limits: npm run dashboard-constants
/** Deliveries of alerts that are listed, newest first. */
export const MAX_ALERT_DELIVERIES = 100;
/** Times that alerts fired, of which the newest are listed. */
export const MAX_ALERT_EVENTS = 200;
/** Days that a range can span. */
export const MAX_DAYS_OF_RANGE = 7305;
/** Visits that are looked at, newest first, for what is not counted. */
export const MAX_SAMPLED_VISITS = 5000;
/** What agents are known to do, in addition to their type. */
export const AGENT_BEHAVIORS = ["search","training","user_fetch","actions","link_preview","advertising","monitoring"] as const;
