export { AgentTraffic, type AskOptions } from './client.js';
export type { BlockOptions, Guard, Refusal } from './guard.js';
export { InstanceError } from './instance.js';
export type { EngineClass } from './engine.js';
export type { AgentTrafficOptions } from './options.js';
export type { AnyRequest } from './requests.js';
export type { EnforceOptions, RulesGuard } from './rules-guard.js';
export { isStaticFile } from './static-files.js';
export {
  AGENT_TYPES,
  type AgentSelection,
  type AgentType,
  type Identification,
  type IdentificationRequest,
  type RobotsTxtRequest,
  type Visit,
  type WaitUntil,
} from './types.js';
