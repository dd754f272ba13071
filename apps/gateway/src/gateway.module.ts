import {
  type DynamicModule,
  Inject,
  Module,
  type OnModuleInit,
  type OnApplicationShutdown,
  type Provider,
} from '@nestjs/common';
import { HttpAdapterHost, ModuleRef } from '@nestjs/core';
import { Bus } from '#libs/bus';
import { answerFastlyChallenge, PUBLIC_INTERFACE } from '#libs/contracts';
import { CredentialUsage, credentialUsage, type SecretBox } from '#libs/database';
import { LOGGER, type Logger } from '#libs/platform';
import { registerProjectAccess } from './access/access.hook.js';
import { AccessRepository } from './access/access.repository.js';
import { AccessService } from './access/access.service.js';
import { RateLimitService, VISIT_RATE, type VisitRate } from './access/rate-limit.service.js';
import { SharedAccess } from './access/shared-access.service.js';
import { registerAdmission } from './admission/admission.hook.js';
import { AdmissionService } from './admission/admission.service.js';
import { DrainStatusRepository } from './drains/drain-status.repository.js';
import { DrainStatusService } from './drains/drain-status.service.js';
import { DrainsController } from './drains/drains.controller.js';
import { DRAIN_SECRETS, DrainsService } from './drains/drains.service.js';
import { FastlyChallengeController } from './drains/fastly-challenge.controller.js';
import { registerDrainAnswers } from './drains/drain-answers.js';
import { ForwardController } from './forward/forward.controller.js';
import { ProjectRulesRepository } from './forward/project-rules.repository.js';
import { ProjectRulesService } from './forward/project-rules.service.js';
import { IdentificationController } from './identification/identification.controller.js';
import { MessagePublisher } from './outbox/message-publisher.js';
import { OutboxRepository } from './outbox/outbox.repository.js';
import { OUTBOX_OPTIONS, OutboxService, type OutboxOptions } from './outbox/outbox.service.js';
import { registerRefusals } from './refusals/refusals.hook.js';
import { RefusalsRepository } from './refusals/refusals.repository.js';
import { RefusalsService } from './refusals/refusals.service.js';
import { RulesController } from './rules/rules.controller.js';
import { IdempotencyRepository } from './visits/idempotency.repository.js';
import { ImportsRepository } from './visits/imports.repository.js';
import { Redactors } from './visits/redaction.js';
import { SafePublisher } from './visits/safe-publisher.service.js';
import { VisitsController } from './visits/visits.controller.js';
import { VisitsService } from './visits/visits.service.js';

const HOUR_MS = 3_600_000;

export interface GatewayOptions {
  visitRate: VisitRate;
  /** Header names redacted in every project, beside the built-in ones. */
  redactedHeaders: readonly string[];
  /** What secrets that drains are signed with are encrypted by; without it, none can be checked. */
  secrets?: SecretBox | null;
  /** Where visits go while the bus is away; null where the bus is the database's, so that it can't be away alone. */
  outbox: OutboxOptions | null;
}

/** The public REST interface: authentication, limits, validation, publishing. */
@Module({})
export class GatewayModule implements OnModuleInit, OnApplicationShutdown {
  private readonly housekeeping: NodeJS.Timeout;

  constructor(
    private readonly http: HttpAdapterHost,
    private readonly module: ModuleRef,
    idempotency: IdempotencyRepository,
    imports: ImportsRepository,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.housekeeping = setInterval(() => {
      Promise.all([idempotency.deleteExpired(), imports.deleteExpired()]).catch((error: unknown) =>
        logger.warn({ err: error }, 'old idempotency keys are still there'),
      );
    }, HOUR_MS);
    this.housekeeping.unref();
  }

  static forRoot({ visitRate, redactedHeaders, secrets = null, outbox }: GatewayOptions): DynamicModule {
    return {
      module: GatewayModule,
      controllers: [
        VisitsController,
        DrainsController,
        FastlyChallengeController,
        IdentificationController,
        ForwardController,
        RulesController,
      ],
      providers: [
        AccessRepository,
        AccessService,
        SharedAccess,
        RateLimitService,
        credentialUsage('access_tokens'),
        RefusalsService,
        RefusalsRepository,
        IdempotencyRepository,
        ImportsRepository,
        SafePublisher,
        ProjectRulesRepository,
        ProjectRulesService,
        VisitsService,
        DrainsService,
        DrainStatusService,
        DrainStatusRepository,
        { provide: DRAIN_SECRETS, useValue: secrets },
        AdmissionService,
        ...publisherProviders(outbox),
        { provide: VISIT_RATE, useValue: visitRate },
        { provide: Redactors, useValue: new Redactors(redactedHeaders) },
      ],
    };
  }

  onModuleInit(): void {
    const instance = this.http.httpAdapter.getInstance();
    const { module } = this;
    instance.serveOperations([...PUBLIC_INTERFACE.operations, answerFastlyChallenge]);
    registerProjectAccess(
      instance,
      module.get(AccessService),
      module.get(RateLimitService),
      module.get(CredentialUsage),
    );
    registerAdmission(instance, module.get(AdmissionService));
    registerDrainAnswers(instance);
    registerRefusals(instance, module.get(RefusalsService), module.get(Redactors));
  }

  onApplicationShutdown(): void {
    clearInterval(this.housekeeping);
  }
}

function publisherProviders(outbox: OutboxOptions | null): Provider[] {
  if (outbox === null) return [{ provide: MessagePublisher, useExisting: Bus }];
  return [
    OutboxRepository,
    OutboxService,
    { provide: OUTBOX_OPTIONS, useValue: outbox },
    { provide: MessagePublisher, useExisting: OutboxService },
  ];
}
