import type { AgentResponse } from '../../rules/agent-response.js';
import type { Control, ControlKind } from './controls.js';

export type ResponseKind = ControlKind | 'redirect' | 'dry_run';

/** Returns the kind of response to an agent, with `control` as the control of its type. */
export function toKind({ live, dryRun }: AgentResponse, control: Pick<Control, 'kind'>): ResponseKind {
  if (live !== null && live.action.kind !== 'allow') return live.action.kind;
  if (control.kind === 'ask') return 'ask';
  return dryRun !== null && dryRun.action.kind !== 'allow' ? 'dry_run' : 'allow';
}
