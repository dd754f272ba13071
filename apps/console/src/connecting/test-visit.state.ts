import type { RefusedRequest, SiteAnswer, SiteReport, TestVisitOutcome } from '#libs/contracts';

/** The progress of a test visit, as it is stored. */
export interface TestVisitState {
  /** The URL that was requested last. */
  url: string | null;
  outcome: TestVisitOutcome | null;
  /** The message of an error, or the target of a redirect. */
  detail: string | null;
  answer: SiteAnswer | null;
  report: SiteReport | null;
  /** Headers of the request that the report lacks. */
  lacking: string[];
  /** Whether the report has no address of the client. */
  lacksAddress: boolean;
  refused: RefusedRequest | null;
  /** The project that the report went to instead. */
  otherProjectId: string | null;
  /** Whether reports with unknown tokens were refused meanwhile. */
  hasUnknownReports: boolean;
}

export const NEW_STATE: TestVisitState = {
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
  /** On the database's clock. */
  startedAt: Date;
  finishedAt: Date | null;
  state: TestVisitState;
}
