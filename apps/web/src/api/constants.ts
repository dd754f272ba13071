import { DRAIN_SENDERS, type DrainSource } from '#libs/drains';

/** Constants of the API. The build inlines their values, see `evaluated` in vite.config.ts. */
export {
  AGENT_BEHAVIORS,
  AGENT_TYPES,
  MAX_ALERT_DELIVERIES,
  MAX_ALERT_EVENTS,
  MAX_DAYS_OF_RANGE,
  MAX_SAMPLED_VISITS,
} from '#libs/contracts';

/** Display names of log senders. Their guides are loaded on demand. */
export const DRAIN_LABELS = Object.fromEntries(DRAIN_SENDERS.map(({ name, label }) => [name, label])) as Record<
  DrainSource,
  string
>;
