export { AgentRules, isSmallGroup } from './agent-rules.js';
export { toRulePath } from './path-pattern.js';
export { decideRobotsAccess, type RobotsDecision } from './robots-decision.js';
export {
  ANY_AGENT,
  findGroups,
  getLookupKeys,
  MAX_ROBOTS_BYTES,
  parseRobotsFile,
  parseRecords,
  decodeRobotsText,
  type NamedGroup,
  type RobotsFile,
  type RobotsGroup,
  type RobotsLine,
  type RobotsRule,
  type UserAgentLine,
} from './robots-file.js';
export { parseRobotsSignals } from './robots-signals.js';
