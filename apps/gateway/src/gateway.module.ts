import { type DynamicModule, Module, type OnModuleInit, type Provider } from '@nestjs/common';
import { HttpAdapterHost, ModuleRef } from '@nestjs/core';
import { Bus } from '#libs/bus';
import { answerFastlyChallenge, PUBLIC_INTERFACE } from '#libs/contracts';
import { CredentialUsage, credentialUsage, type SecretBox } from '#libs/database';
import { StoredVisitsRepository, provideRepositories } from '#libs/visit-store';
import { registerProjectAccess } from './access/access.hook.js';
import { AccessRepository } from './access/access.repository.js';
import { AccessService } from './access/access.service.js';
import { RateLimitService } from './access/rate-limit.service.js';
import { SharedAccess } from './access/shared-access.service.js';
import { registerAdmission } from './admission/admission.hook.js';
import { AdmissionService } from './admission/admission.service.js';
import { DrainStatusRepository } from './drains/drain-status.repository.js';
import { DrainStatusService } from './drains/drain-status.service.js';
import { DrainsController } from './drains/drains.controller.js';
import { DrainsService } from './drains/drains.service.js';
import { FastlyChallengeController } from './drains/fastly-challenge.controller.js';
import { registerDrainResponses } from './drains/drain-responses.js';
import { defaultGatewaySettings } from './env.js';
import { DecisionCountsRepository } from './forward/decision-counts.repository.js';
import { DecisionCountsService } from './forward/decision-counts.service.js';
import { ForwardDecisionService } from './forward/forward-decision.service.js';
import { ForwardController } from './forward/forward.controller.js';
import { ProjectPoliciesRepository } from './forward/project-policies.repository.js';
import { ProjectPoliciesService } from './forward/project-policies.service.js';
import { ProjectRulesRepository } from './forward/project-rules.repository.js';
import { ProjectRulesService } from './forward/project-rules.service.js';
import { VisitorTraits } from './forward/visitor-traits.js';
import { GATEWAY_SECRETS, GATEWAY_SETTINGS, type GatewaySettings } from './gateway-settings.js';
import { IdentificationController } from './identification/identification.controller.js';
import { MessagePublisher } from './outbox/message-publisher.js';
import { OutboxRepository } from './outbox/outbox.repository.js';
import { OutboxService } from './outbox/outbox.service.js';
import { registerRejectedRequests } from './rejected-requests/rejected-requests.hook.js';
import { RejectedRequestsRepository } from './rejected-requests/rejected-requests.repository.js';
import { RejectedRequestsService } from './rejected-requests/rejected-requests.service.js';
import { RulesController } from './rules/rules.controller.js';
import { SigningKeyRepository } from './snapshots/signing-key.repository.js';
import { SnapshotsController } from './snapshots/snapshots.controller.js';
import { SnapshotsService } from './snapshots/snapshots.service.js';
import { ExpiryService } from './visits/expiry.service.js';
import { IdempotencyRepository } from './visits/idempotency.repository.js';
import { ImportsRepository } from './visits/imports.repository.js';
import { Redactors } from './visits/redaction.js';
import { SafePublisher } from './visits/safe-publisher.service.js';
import { VisitsController } from './visits/visits.controller.js';
import { VisitsService } from './visits/visits.service.js';

interface GatewayOptions {
  settings?: Partial<GatewaySettings>;
  /** Decrypts drain signing secrets. Signed drain requests can't be verified without it. */
  secrets?: SecretBox | null;
  /** False if the bus runs in this process and doesn't need a fallback. */
  hasOutbox: boolean;
}

/** Public REST API. Authenticates, limits and validates requests, and publishes visits. */
@Module({})
export class GatewayModule implements OnModuleInit {
  constructor(
    private readonly http: HttpAdapterHost,
    private readonly module: ModuleRef,
  ) {}

  static forRoot({ settings: overrides = {}, secrets = null, hasOutbox }: GatewayOptions): DynamicModule {
    const settings = { ...defaultGatewaySettings(), ...overrides };
    return {
      module: GatewayModule,
      controllers: [
        VisitsController,
        DrainsController,
        FastlyChallengeController,
        IdentificationController,
        ForwardController,
        RulesController,
        SnapshotsController,
      ],
      providers: [
        ...provideRepositories(StoredVisitsRepository),
        AccessRepository,
        AccessService,
        SharedAccess,
        RateLimitService,
        credentialUsage('access_tokens'),
        RejectedRequestsService,
        RejectedRequestsRepository,
        IdempotencyRepository,
        ImportsRepository,
        ExpiryService,
        SafePublisher,
        ProjectRulesRepository,
        ProjectRulesService,
        ProjectPoliciesRepository,
        ProjectPoliciesService,
        ForwardDecisionService,
        DecisionCountsRepository,
        DecisionCountsService,
        VisitorTraits,
        SigningKeyRepository,
        SnapshotsService,
        VisitsService,
        DrainsService,
        DrainStatusService,
        DrainStatusRepository,
        { provide: GATEWAY_SECRETS, useValue: secrets },
        AdmissionService,
        ...publisherProviders(hasOutbox),
        { provide: GATEWAY_SETTINGS, useValue: settings },
        { provide: Redactors, useValue: new Redactors(settings.REDACTED_HEADERS) },
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
    registerDrainResponses(instance);
    registerRejectedRequests(instance, module.get(RejectedRequestsService), module.get(Redactors));
  }
}

function publisherProviders(hasOutbox: boolean): Provider[] {
  if (!hasOutbox) return [{ provide: MessagePublisher, useExisting: Bus }];
  return [OutboxRepository, OutboxService, { provide: MessagePublisher, useExisting: OutboxService }];
}
