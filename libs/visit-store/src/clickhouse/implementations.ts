import type { Type } from '@nestjs/common';
import { ComplianceRepository } from '../compliance.repository.js';
import { ConductRepository } from '../conduct.repository.js';
import { EffectVisitsRepository } from '../effect-visits.repository.js';
import { ExpiredPartitionsRepository } from '../expired-partitions.repository.js';
import { LoadRepository } from '../load.repository.js';
import { JourneyVisitsRepository } from '../journey-visits.repository.js';
import { MovedCountsRepository } from '../moved-counts.repository.js';
import { NewFetchesRepository } from '../new-fetches.repository.js';
import { NewsRepository } from '../news.repository.js';
import { PartitionsRepository } from '../partitions.repository.js';
import { PaymentVisitsRepository } from '../payment-visits.repository.js';
import { PermissionVisitsRepository } from '../permission-visits.repository.js';
import { ProposalVisitsRepository } from '../proposal-visits.repository.js';
import type { PublicOf } from '../public-of.js';
import { ReidentificationsRepository } from '../reidentifications.repository.js';
import { ReidentifiedVisitsRepository } from '../reidentified-visits.repository.js';
import { RemovedProjectsRepository } from '../removed-projects.repository.js';
import { RestoredVisitsRepository } from '../restored-visits.repository.js';
import { ReturnVisitsRepository } from '../return-visits.repository.js';
import { SamplesRepository } from '../samples.repository.js';
import { StoreSizeRepository } from '../store-size.repository.js';
import { StoredCountsRepository } from '../stored-counts.repository.js';
import { StoredVisitsRepository } from '../stored-visits.repository.js';
import { TestAgentVisitsRepository } from '../test-agent-visits.repository.js';
import { TimelineRepository } from '../timeline.repository.js';
import { UnlistedAgentsRepository } from '../unlisted-agents.repository.js';
import { VisitChangesRepository } from '../visit-changes.repository.js';
import { VisitDeletionRepository } from '../visit-deletion.repository.js';
import { VisitPathsRepository } from '../visit-paths.repository.js';
import { VisitsRepository } from '../visits.repository.js';
import { ClickHouseComplianceRepository } from './compliance.repository.js';
import { ClickHouseConductRepository } from './conduct.repository.js';
import { ClickHouseEffectVisitsRepository } from './effect-visits.repository.js';
import { ClickHouseExpiredPartitionsRepository } from './expired-partitions.repository.js';
import { ClickHouseLoadRepository } from './load.repository.js';
import { ClickHouseJourneyVisitsRepository } from './journey-visits.repository.js';
import { ClickHouseMovedCountsRepository } from './moved-counts.repository.js';
import { ClickHouseNewFetchesRepository } from './new-fetches.repository.js';
import { ClickHouseNewsRepository } from './news.repository.js';
import { ClickHousePartitionsRepository } from './partitions.repository.js';
import { ClickHousePaymentVisitsRepository } from './payment-visits.repository.js';
import { ClickHousePermissionVisitsRepository } from './permission-visits.repository.js';
import { ClickHouseProposalVisitsRepository } from './proposal-visits.repository.js';
import { ClickHouseReidentificationsRepository } from './reidentifications.repository.js';
import { ClickHouseReidentifiedVisitsRepository } from './reidentified-visits.repository.js';
import { ClickHouseRemovedProjectsRepository } from './removed-projects.repository.js';
import { ClickHouseRestoredVisitsRepository } from './restored-visits.repository.js';
import { ClickHouseReturnVisitsRepository } from './return-visits.repository.js';
import { ClickHouseSamplesRepository } from './samples.repository.js';
import { ClickHouseStoreSizeRepository } from './store-size.repository.js';
import { ClickHouseStoredCountsRepository } from './stored-counts.repository.js';
import { ClickHouseStoredVisitsRepository } from './stored-visits.repository.js';
import { ClickHouseTestAgentVisitsRepository } from './test-agent-visits.repository.js';
import { ClickHouseTimelineRepository } from './timeline.repository.js';
import { ClickHouseUnlistedAgentsRepository } from './unlisted-agents.repository.js';
import { ClickHouseVisitChangesRepository } from './visit-changes.repository.js';
import { ClickHouseVisitDeletionRepository } from './visit-deletion.repository.js';
import { ClickHouseVisitPathsRepository } from './visit-paths.repository.js';
import { ClickHouseVisitsRepository } from './visits.repository.js';

const implement = <T>(repository: Type<T>, implementation: Type<PublicOf<T>>): [Type, Type] => [
  repository,
  implementation,
];

/** Repositories that read or write stored visits, with their implementations for ClickHouse. */
export const CLICKHOUSE_IMPLEMENTATIONS: ReadonlyMap<Type, Type> = new Map([
  implement(ComplianceRepository, ClickHouseComplianceRepository),
  implement(ConductRepository, ClickHouseConductRepository),
  implement(EffectVisitsRepository, ClickHouseEffectVisitsRepository),
  implement(ExpiredPartitionsRepository, ClickHouseExpiredPartitionsRepository),
  implement(LoadRepository, ClickHouseLoadRepository),
  implement(JourneyVisitsRepository, ClickHouseJourneyVisitsRepository),
  implement(MovedCountsRepository, ClickHouseMovedCountsRepository),
  implement(NewFetchesRepository, ClickHouseNewFetchesRepository),
  implement(NewsRepository, ClickHouseNewsRepository),
  implement(PartitionsRepository, ClickHousePartitionsRepository),
  implement(PaymentVisitsRepository, ClickHousePaymentVisitsRepository),
  implement(PermissionVisitsRepository, ClickHousePermissionVisitsRepository),
  implement(ProposalVisitsRepository, ClickHouseProposalVisitsRepository),
  implement(ReidentificationsRepository, ClickHouseReidentificationsRepository),
  implement(ReidentifiedVisitsRepository, ClickHouseReidentifiedVisitsRepository),
  implement(RemovedProjectsRepository, ClickHouseRemovedProjectsRepository),
  implement(RestoredVisitsRepository, ClickHouseRestoredVisitsRepository),
  implement(ReturnVisitsRepository, ClickHouseReturnVisitsRepository),
  implement(SamplesRepository, ClickHouseSamplesRepository),
  implement(StoreSizeRepository, ClickHouseStoreSizeRepository),
  implement(StoredCountsRepository, ClickHouseStoredCountsRepository),
  implement(StoredVisitsRepository, ClickHouseStoredVisitsRepository),
  implement(TestAgentVisitsRepository, ClickHouseTestAgentVisitsRepository),
  implement(TimelineRepository, ClickHouseTimelineRepository),
  implement(UnlistedAgentsRepository, ClickHouseUnlistedAgentsRepository),
  implement(VisitChangesRepository, ClickHouseVisitChangesRepository),
  implement(VisitDeletionRepository, ClickHouseVisitDeletionRepository),
  implement(VisitPathsRepository, ClickHouseVisitPathsRepository),
  implement(VisitsRepository, ClickHouseVisitsRepository),
]);
