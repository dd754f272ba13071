import type { ComplianceAgent } from '../../api/compliance.js';

type Judged = Pick<ComplianceAgent, 'allowed' | 'disallowed' | 'no_rules'>;

/** Counts the visits that a version of robots.txt applied to. */
export const judgedOf = ({ allowed, disallowed, no_rules: noRules }: Judged): number => allowed + disallowed + noRules;

/** Returns the disallowed share of the judged visits, or null if there are none. */
export const shareOf = (agent: Judged): number | null =>
  judgedOf(agent) === 0 ? null : agent.disallowed / judgedOf(agent);
