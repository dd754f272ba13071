export { AgentRules } from './agent-rules.js';
export { rulePath } from './path-pattern.js';
export { decide, type RobotsDecision } from './robots-decision.js';
export {
  ANYBODY,
  groupsFor,
  keysOf,
  MAX_ROBOTS_BYTES,
  readRobotsFile,
  recordsOf,
  robotsText,
  type NamedGroup,
  type RobotsFile,
  type RobotsLine,
  type RobotsRule,
  type UserAgentLine,
} from './robots-file.js';
export { readRobotsSignals } from './robots-signals.js';
