import type { Compliance, News, Overview, Referrals } from '#libs/contracts';
import type { CostlyAgents } from './costly-agents.js';

/** Data of a report. Parts that took too long to read are null, and left out of the report. */
export interface ReportData {
  overview: Overview;
  /** False if there is no complete previous period to compare with. */
  isCompared: boolean;
  referrals: Referrals | null;
  compliance: Compliance | null;
  /** Compliance in the previous period. */
  previousCompliance: Compliance | null;
  costly: CostlyAgents | null;
  news: News | null;
}
