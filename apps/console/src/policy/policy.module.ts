import { Module } from '@nestjs/common';
import { EffectVisitsRepository, provideRepositories, ReturnVisitsRepository } from '#libs/visit-store';
import { AccessModule } from '../access/access.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { ReadsModule } from '../reads/reads.module.js';
import { StatisticsModule } from '../statistics/statistics.module.js';
import { VisitsModule } from '../visits/visits.module.js';
import { RulesModule } from '../rules/rules.module.js';
import { EmulatedAgentsRepository } from './emulated-agents.repository.js';
import { PolicyProofService } from './policy-proof.service.js';
import { PolicyProofsController } from './policy-proofs.controller.js';
import { PolicyController } from './policy.controller.js';
import { PolicyCountsRepository } from './policy-counts.repository.js';
import { PolicyEffectService } from './policy-effect.service.js';
import { PolicyForecastService } from './policy-forecast.service.js';
import { PolicyLimitsController } from './policy-limits.controller.js';
import { PolicyOutcomesRepository } from './policy-outcomes.repository.js';
import { PolicyVersionsRepository } from './policy-versions.repository.js';

@Module({
  imports: [AccessModule, ProjectsModule, ReadsModule, RulesModule, StatisticsModule, VisitsModule],
  controllers: [PolicyController, PolicyLimitsController, PolicyProofsController],
  providers: [
    ...provideRepositories(EffectVisitsRepository, ReturnVisitsRepository),
    EmulatedAgentsRepository,
    PolicyProofService,
    PolicyCountsRepository,
    PolicyEffectService,
    PolicyForecastService,
    PolicyOutcomesRepository,
    PolicyVersionsRepository,
  ],
  exports: [PolicyVersionsRepository],
})
export class PolicyModule {}
