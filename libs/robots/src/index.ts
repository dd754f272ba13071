export { AgentRules, isSmallGroup } from './agent-rules.js';
export { type SignalUse } from './content-signal.js';
export { parseContentUsage } from './content-usage.js';
export { parseCrawlDelays, type CrawlDelays } from './crawl-delays.js';
export { mergeRobots, type MergedLine, type MergedRobots } from './merge-robots.js';
export { type SiteDecision } from './merge-groups.js';
export { compilePattern, toComparablePath, toRulePath } from './path-pattern.js';
export { PURPOSE_TOKENS } from './purpose-tokens.js';
export { decideRobotsAccess, type RobotsDecision } from './robots-decision.js';
export {
  ANY_AGENT,
  findGroups,
  findPurposeGroups,
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
export { RobotsSectionError } from './robots-section.js';
export { parseRobotsSignals } from './robots-signals.js';
export { parseRobotsUsage, type RobotsUsage } from './robots-usage.js';
