/** Constants of the interface. The build puts their values here: `evaluated` in vite.config.ts. */
export {
  AGENT_BEHAVIORS,
  AGENT_TYPES,
  MAX_ALERT_DELIVERIES,
  MAX_ALERT_EVENTS,
  MAX_DAYS_OF_RANGE,
  MAX_SAMPLED_VISITS,
} from '#libs/contracts';
