export { CHART_BUCKET_HOURS } from './alert-conditions.sql.js';
export {
  AlertConditionsRepository,
  type MeasuredValue,
  type MetCondition,
  type ScopedAgent,
  type WatchedAlert,
  type EvaluationRange,
} from './alert-conditions.repository.js';
export { withArchiveLock, type LockCheck } from './archive-lock.repository.js';
export { ARCHIVED_COLUMNS, compareVisits, type ArchivedVisit } from './archived-visit.js';
export { CheckoutCountsRepository } from './checkout-counts.repository.js';
export { CheckoutsRepository } from './checkouts.repository.js';
export { ClientNetworks } from './client-networks.js';
export { ComplianceRepository, type DisallowedTimes } from './compliance.repository.js';
export { ConductRepository, MAX_ROBOTS_REQUESTS, type ConductVisit, type RobotsRequest } from './conduct.repository.js';
export { CountsRepository, type AgentCount, type TopCount, type TopList } from './counts.repository.js';
export { CoverageRepository, type CoveredPagesQuery } from './coverage.repository.js';
export { CountRollupsRepository } from './count-rollups.repository.js';
export { StatusSeriesRepository } from './status-series.repository.js';
export { DimensionsRepository, type DimensionCount, type DimensionSpan } from './dimensions.repository.js';
export {
  BROWSER_HEADERS,
  EffectVisitsRepository,
  type ActedVisit,
  type NextVisit,
  type ServedResponses,
} from './effect-visits.repository.js';
export { ExpiredPartitionsRepository, type ExpiredPartition } from './expired-partitions.repository.js';
export { LoadRepository, parseLoadKey, type LoadEstimate, type LoadItem, type StoredLoad } from './load.repository.js';
export {
  JourneyVisitsRepository,
  type JourneyPosition,
  type JourneyRead,
  type JourneyVisit,
  type JourneyVisitDetails,
  type JourneyVisitors,
} from './journey-visits.repository.js';
export { NewFetchesRepository, type NewFetches, type PageFetches } from './new-fetches.repository.js';
export {
  NewsRepository,
  type ChangePart,
  type ClaimCount,
  type EarlierFailure,
  type FailedVisits,
  type QuarterCount,
} from './news.repository.js';
export { PaymentVisitsRepository, type PaymentVisitRow } from './payment-visits.repository.js';
export {
  toDayNumber,
  formatDay,
  PartitionsRepository,
  type DayNumber,
  type Visitors,
} from './partitions.repository.js';
export { wellFormedText } from './well-formed-text.js';
export { PermissionVisitsRepository, type PermissionVisit } from './permission-visits.repository.js';
export { ProposalVisitsRepository, type UserAgentCounts } from './proposal-visits.repository.js';
export { ReferralPagesRepository } from './referral-pages.repository.js';
export { ReidentificationsRepository, type Job, type Page } from './reidentifications.repository.js';
export { ReidentifiedVisitsRepository, type PreparedChange } from './reidentified-visits.repository.js';
export { RemovedProjectsRepository } from './removed-projects.repository.js';
export { toResponseFlags } from './response-flags.js';
export { RestoredVisitsRepository } from './restored-visits.repository.js';
export {
  MAX_RETURN_IDS,
  ReturnVisitsRepository,
  toIdentity,
  type ReturnVisits,
  type ReturnWindow,
} from './return-visits.repository.js';
export { splitAtItems, type ItemRange } from './rollups.js';
export {
  SamplesRepository,
  type AgentVisit,
  type Reason,
  type SampledVisit,
  type UnverifiedVisit,
} from './samples.repository.js';
export type { Snapshot } from './snapshot.js';
export { ReadTimeoutError } from './read-timeout-error.js';
export { SnapshotsRepository } from './snapshots.repository.js';
export type { StreamedPart, StreamedVisit } from './streamed-visits.js';
export { StoreSizeRepository } from './store-size.repository.js';
export { StoredVisitsRepository } from './stored-visits.repository.js';
export {
  StoredCountsRepository,
  type ItemCount,
  type Population,
  type Slice,
  type StoredCounts,
  type VisitSelection,
} from './stored-counts.repository.js';
export { TestAgentVisitsRepository } from './test-agent-visits.repository.js';
export { createMatcher, resolveBehaviors, EMPTY_COLUMNS, type FilteredColumns } from './timeline-filters.js';
export { TimelineRepository, type NewestVisits } from './timeline.repository.js';
export type { Series, TimeRange } from './time-range.js';
export { UnlistedAgentsRepository, type GroupVisit } from './unlisted-agents.repository.js';
export { NO_AGENT } from './visit-counts.js';
export { VisitChangesRepository } from './visit-changes.repository.js';
export { createAddressMatcher, VisitDeletionRepository } from './visit-deletion.repository.js';
export { VisitFormsRepository } from './visit-forms.repository.js';
export { VisitPathsRepository } from './visit-paths.repository.js';
export type { Checkout, Dimension, VisitRow } from './visit-row.js';
export { provideRepositories } from './provide-repositories.js';
export { checkVisitStore } from './visit-store-check.repository.js';
export { toVisitStoreOptions, visitStoreSettings, type VisitStoreOptions } from './visit-store-settings.js';
export { prepareVisitStore } from './visit-store-location.repository.js';
export { moveVisits, type VisitStoreName } from './move/visit-move.repository.js';
export { VisitStoreStatusRepository } from './visit-store-status.repository.js';
export { describeNewerVisits, discardNewerVisits } from './visit-store-backups.repository.js';
export { withRestoredVisits } from './with-restored-visits.repository.js';
export { VisitStoreModule } from './visit-store.module.js';
export { VisitsRepository } from './visits.repository.js';
