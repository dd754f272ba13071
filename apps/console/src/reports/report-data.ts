import type { Compliance, News, Overview, Referrals } from '#libs/contracts';
import type { CostlyAgents } from './costly-agents.js';

/** Data of a report. Parts that took too long to read are null, and left out of the report. */
export interface ReportData {
  overview: Overview;
  /** False if there is no complete previous period to compare with. */
  isCompared: boolean;
  referrals: Referrals | null;
  compliance: Compliance | null;
  /** Disallowed requests in the previous period. */
  previousDisallowed: number | null;
  costly: CostlyAgents | null;
  news: News | null;
  /** Overview of visits from the network behind a rise that weren't verified. Null if there is no such network. */
  network: Overview | null;
}
