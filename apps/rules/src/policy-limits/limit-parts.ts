import type { Agent, CompiledCatalog } from '#libs/catalog';
import { createAddressList } from '../address-list/index.js';
import { comment } from '../server-config/comment.js';
import { namedComment, rulesText } from '../server-config/configuration-text.js';
import type { Dialect } from '../server-config/pattern-text.js';
import { userAgentRules, type UserAgentRule } from '../server-config/user-agent-rules.js';
import type { AgentLimit } from './agent-limits.js';
import { verifiedRanges, type VerifiedRanges } from './verified-ranges.js';

/** Parts that the configurations of all servers consist of. */
export interface LimitParts {
  /** Number of agents, as a comment line. */
  summary: string;
  ranges: VerifiedRanges['ranges'];
  /** Number of ranges, last change and digest, as comment lines. */
  rangesSummary: string;
  /** Agents that can't be limited, as comment lines. */
  exceptions: string;
  /**
   * Returns expressions for User-Agents. Their targets are `VERIFIED/UNVERIFIED/LIST/AGENT`: the limits per minute, the
   * number of the list of ranges that verifies the agent, and the agent's encoded token. 0 means no limit or no list.
   */
  userAgents: (dialect: Dialect, indentation: string, rule: (rule: UserAgentRule) => string) => string;
}

export function limitParts(limits: readonly AgentLimit[], catalog: CompiledCatalog): LimitParts {
  const { listByAgent, ranges } = verifiedRanges(
    limits.map(({ agent }) => agent),
    catalog,
  );
  const targets = new Map<Agent, string>(
    limits.map(({ agent, verified, unverified }) => {
      const token = encodeURIComponent(agent.token.toWellFormed());
      return [agent, `${verified}/${unverified}/${listByAgent.get(agent) ?? 0}/${token}`];
    }),
  );
  // Patterns are equally unsupported in all dialects.
  const { unrecognizable, unsupported } = userAgentRules(targets, catalog, 'pcre');
  return {
    summary: `# Agent Traffic: limits the requests of ${limits.length} ${limits.length === 1 ? 'agent' : 'agents'}.\n`,
    ranges,
    rangesSummary: comment(createAddressList([...listByAgent.keys()], catalog).summary),
    exceptions:
      namedComment("Not limited, because these agents can't be recognized by User-Agent:", unrecognizable) +
      namedComment('Only partly limited, because some patterns are unsupported:', unsupported),
    userAgents: (dialect, indentation, rule) =>
      rulesText(userAgentRules(targets, catalog, dialect).rules, { indentation, rule }),
  };
}
