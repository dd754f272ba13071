export { AgentRules } from './agent-rules.js';
export { rulePath, type ComparablePath, type PathPattern } from './path-pattern.js';
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
  type RobotsGroup,
  type RobotsLine,
  type RobotsRule,
  type UserAgentLine,
} from './robots-file.js';
export { readRobotsSignals, type RobotsSignal } from './robots-signals.js';
