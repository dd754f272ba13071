import type { RefusedRequest, SiteAnswer, SiteReport, TestVisitOutcome } from '#libs/contracts';

/** How far a test visit got, as it is kept. */
export interface TestVisitState {
  /** What was requested last. */
  url: string | null;
  outcome: TestVisitOutcome | null;
  /** An error's own words, or an address redirected to. */
  detail: string | null;
  answer: SiteAnswer | null;
  report: SiteReport | null;
  /** Headers of the request that the report lacks. */
  lacking: string[];
  refused: RefusedRequest | null;
  /** The project that the report went to instead. */
  otherProjectId: string | null;
  /** Reports with unknown tokens came from elsewhere meanwhile. */
  hasUnknownReports: boolean;
}

export const NEW_STATE: TestVisitState = {
  url: null,
  outcome: null,
  detail: null,
  answer: null,
  report: null,
  lacking: [],
  refused: null,
  otherProjectId: null,
  hasUnknownReports: false,
};

export interface StoredTestVisit {
  id: string;
  projectId: string;
  /** By the database's clock. */
  startedAt: Date;
  finishedAt: Date | null;
  state: TestVisitState;
}
