export {
  AlertConditionsRepository,
  type MetCondition,
  type ScopedAgent,
  type WatchedAlert,
} from './alert-conditions.repository.js';
export { CheckoutCountsRepository } from './checkout-counts.repository.js';
export { CheckoutsRepository } from './checkouts.repository.js';
export { ClientNetworks } from './client-networks.js';
export { ComplianceRepository, type DisallowedTimes } from './compliance.repository.js';
export { CountsRepository, type AgentCount, type TopCount, type TopList } from './counts.repository.js';
export { CountSumsRepository } from './count-sums.repository.js';
export { DimensionsRepository, type DimensionCount, type DimensionSpan } from './dimensions.repository.js';
export { NewsRepository, type FailedBefore, type FailedVisits } from './news.repository.js';
export { dayOf, isoDay, PartitionsRepository, type DayNumber } from './partitions.repository.js';
export { wellFormedText } from './well-formed-text.js';
export { ProposalVisitsRepository, type UserAgentCounts } from './proposal-visits.repository.js';
export { ReferralPagesRepository } from './referral-pages.repository.js';
export { ReidentificationsRepository, type Job, type Page } from './reidentifications.repository.js';
export { ReidentifiedVisitsRepository, type PreparedChange } from './reidentified-visits.repository.js';
export { RemovedProjectsRepository } from './removed-projects.repository.js';
export { splitAtItems, type ItemRange } from './rollups.js';
export { SamplesRepository, type AgentVisit, type Reason, type SampledVisit } from './samples.repository.js';
export type { Snapshot } from './snapshot.js';
export { ReadTimeoutError, SnapshotsRepository } from './snapshots.repository.js';
export { StoreSizeRepository } from './store-size.repository.js';
export { StoredVisitsRepository } from './stored-visits.repository.js';
export { StoredCountsRepository, type Population, type Slice, type StoredCounts } from './stored-counts.repository.js';
export { TestAgentVisitsRepository } from './test-agent-visits.repository.js';
export { matcherOf, NO_COLUMNS, type FilteredColumns } from './timeline-filters.js';
export { TimelineRepository, type NewestVisits, type StreamedPart, type StreamedVisit } from './timeline.repository.js';
export type { Series, TimeRange } from './time-range.js';
export { UnlistedRepository, type GroupVisit } from './unlisted.repository.js';
export { NO_AGENT } from './visit-counts.js';
export { VisitChangesRepository } from './visit-changes.repository.js';
export { VisitDeletionRepository } from './visit-deletion.repository.js';
export { VisitFormsRepository } from './visit-forms.repository.js';
export { VisitPathsRepository } from './visit-paths.repository.js';
export type { Checkout, Dimension, VisitRow } from './visit-row.js';
export { VisitStoreModule } from './visit-store.module.js';
export { VisitsRepository } from './visits.repository.js';
