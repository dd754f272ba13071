import type { RejectedRequest, SiteResponse, SiteReport, TestVisitOutcome } from '#libs/contracts';

export interface TestVisitState {
  /** Last requested URL. */
  url: string | null;
  outcome: TestVisitOutcome | null;
  /** Error message, or a redirect's target. */
  detail: string | null;
  answer: SiteResponse | null;
  report: SiteReport | null;
  /** Request headers that are missing from the report. */
  lacking: string[];
  /** Whether the report lacks the client address. */
  lacksAddress: boolean;
  refused: RejectedRequest | null;
  /** Project that received the report instead. */
  otherProjectId: string | null;
  /** Whether reports with unknown tokens were rejected during the test. */
  hasUnknownReports: boolean;
}

export const INITIAL_STATE: TestVisitState = {
  url: null,
  outcome: null,
  detail: null,
  answer: null,
  report: null,
  lacking: [],
  lacksAddress: false,
  refused: null,
  otherProjectId: null,
  hasUnknownReports: false,
};

export interface StoredTestVisit {
  id: string;
  projectId: string;
  /** Database time, which can differ from this process's clock. */
  startedAt: Date;
  finishedAt: Date | null;
  state: TestVisitState;
}
