import type { ComplianceAgent } from '../api/compliance.js';

type JudgedCounts = Pick<ComplianceAgent, 'allowed' | 'disallowed' | 'no_rules'>;

/** Counts the visits that were judged by a robots.txt version. */
export const countJudged = ({ allowed, disallowed, no_rules: noRules }: JudgedCounts): number =>
  allowed + disallowed + noRules;

/** Returns the share of judged visits that were disallowed, or null if no visits were judged. */
export const getDisallowedShare = (agent: JudgedCounts): number | null =>
  countJudged(agent) === 0 ? null : agent.disallowed / countJudged(agent);

/** Returns true if every disallowed visit got status 403. */
export const areAllBlocked = (counts: Pick<ComplianceAgent, 'disallowed' | 'disallowed_forbidden'>): boolean =>
  counts.disallowed > 0 && counts.disallowed_forbidden === counts.disallowed;

/** Difference up to which a change in the number of visits isn't good or bad news. */
const MAX_TINY_CHANGE = 5;

/** Returns true if a number of visits changed so little that it isn't good or bad news. */
export const isTiny = (current: number, previous: number): boolean => Math.abs(current - previous) <= MAX_TINY_CHANGE;
