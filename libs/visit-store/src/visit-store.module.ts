import { Module } from '@nestjs/common';
import { CheckoutsRepository } from './checkouts.repository.js';
import { CountSumsRepository } from './count-sums.repository.js';
import { MovedCountsRepository } from './moved-counts.repository.js';
import { PartitionsRepository } from './partitions.repository.js';
import { ReidentificationsRepository } from './reidentifications.repository.js';
import { ReidentifiedVisitsRepository } from './reidentified-visits.repository.js';
import { RemovedProjectsRepository } from './removed-projects.repository.js';
import { VisitFormsRepository } from './visit-forms.repository.js';
import { VisitsRepository } from './visits.repository.js';

const REPOSITORIES = [
  CheckoutsRepository,
  CountSumsRepository,
  PartitionsRepository,
  ReidentificationsRepository,
  ReidentifiedVisitsRepository,
  RemovedProjectsRepository,
  VisitFormsRepository,
  VisitsRepository,
];

@Module({ providers: [...REPOSITORIES, MovedCountsRepository], exports: REPOSITORIES })
export class VisitStoreModule {}
