import { ALERT_KIND_NAMES, ALERT_KINDS } from '#libs/contracts';
import { DRAIN_SENDERS, type DrainSource } from '#libs/drains';

/** API constants. The build inlines their values, so the libraries stay out of the bundle (see vite.config.ts). */
export {
  AGENT_BEHAVIORS,
  AGENT_TYPES,
  JOURNEY_TYPES,
  JOURNEY_VISITORS,
  MAX_AGENT_ADDRESSES,
  MAX_ALERT_DELIVERIES,
  MAX_ALERT_EVENTS,
  MAX_JOURNEY_PAGES,
  MAX_LOAD_ROWS,
  MAX_PATH_PATTERNS,
  MAX_RANGE_DAYS,
  MAX_SAMPLED_VISITS,
  MAX_SPOOFS,
  MAX_STATEMENT_DAYS,
  SEEN_DAYS,
  STATEMENT_KEYS_PATH,
} from '#libs/contracts';

/** Names of alerts by kind. */
export const ALERT_LABELS: Readonly<Record<string, string>> = Object.fromEntries(
  ALERT_KIND_NAMES.map((kind) => [kind, ALERT_KINDS[kind].label]),
);

/** Display names for log senders. Their setup guides are loaded on demand. */
export const DRAIN_LABELS = Object.fromEntries(DRAIN_SENDERS.map(({ name, label }) => [name, label])) as Record<
  DrainSource,
  string
>;
