import { DRAIN_SENDERS, type DrainSource } from '#libs/drains';

/** Constants of the interface. The build puts their values here: `evaluated` in vite.config.ts. */
export {
  AGENT_BEHAVIORS,
  AGENT_TYPES,
  MAX_ALERT_DELIVERIES,
  MAX_ALERT_EVENTS,
  MAX_DAYS_OF_RANGE,
  MAX_SAMPLED_VISITS,
} from '#libs/contracts';

/** Names of log senders. Their guides are loaded when somebody opens one. */
export const DRAIN_LABELS = Object.fromEntries(DRAIN_SENDERS.map(({ name, label }) => [name, label])) as Record<
  DrainSource,
  string
>;
