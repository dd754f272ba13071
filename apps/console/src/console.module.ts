import { type DynamicModule, Inject, Module, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { AgentsApi } from '#libs/catalog';
import { AGENT_OPERATIONS, CONSOLE_INTERFACE, getKeyDirectory } from '#libs/contracts';
import { SecretBox } from '#libs/database';
import { controllerOf } from '#libs/platform';
import type { ServiceClientOptions } from '#libs/catalog';
import { AccessChanges } from './access/access-changes.service.js';
import { registerConsoleAccess } from './access/access.hook.js';
import { AccessService } from './access/access.service.js';
import { ApiKeysController } from './access/api-keys.controller.js';
import { ApiKeysRepository } from './access/api-keys.repository.js';
import { DeviceCookie } from './access/device-cookie.js';
import { SessionCookie } from './access/session-cookie.js';
import { SessionsRepository } from './access/sessions.repository.js';
import { AccountsRepository } from './accounts/accounts.repository.js';
import { AttemptsService } from './accounts/attempts.service.js';
import { AuthenticationService } from './accounts/authentication.service.js';
import { ExpiryService } from './accounts/expiry.service.js';
import { OidcController } from './accounts/oidc.controller.js';
import { OIDC_SETTINGS, OidcService } from './accounts/oidc.service.js';
import type { OidcSettings } from './accounts/oidc-settings.js';
import { SessionController } from './accounts/session.controller.js';
import { SetupController } from './accounts/setup.controller.js';
import { BootstrapRepository } from './bootstrap.repository.js';
import { CatalogController } from './catalog/catalog.controller.js';
import { CatalogSummaryRepository } from './catalog/catalog-summary.repository.js';
import { IdentificationsController } from './catalog/identifications.controller.js';
import { DeadLettersController } from './dead-letters/dead-letters.controller.js';
import { DeadLettersRepository } from './dead-letters/dead-letters.repository.js';
import { ProjectRemovalRepository } from './projects/project-removal.repository.js';
import { AcceptanceController } from './members/acceptance.controller.js';
import { InvitationsController } from './members/invitations.controller.js';
import { InvitationsRepository } from './members/invitations.repository.js';
import { MembersController } from './members/members.controller.js';
import { MembersRepository } from './members/members.repository.js';
import { ProjectsController } from './projects/projects.controller.js';
import { ProjectsRepository } from './projects/projects.repository.js';
import { TokensController } from './projects/tokens.controller.js';
import { TokensRepository } from './projects/tokens.repository.js';
import { ProjectRulesController } from './rules/project-rules.controller.js';
import { ProjectRulesRepository } from './rules/project-rules.repository.js';
import { StatisticsModule } from './statistics/statistics.module.js';
import { SystemModule } from './system/system.module.js';
import { PasswordResetsController } from './users/password-resets.controller.js';
import { PasswordResetsRepository } from './users/password-resets.repository.js';
import { UsersController } from './users/users.controller.js';
import { UsersRepository } from './users/users.repository.js';
import { PUBLIC_URL } from './public-url.js';
import { KeyDirectoryController } from './test-agent/key-directory.controller.js';
import { TestAgentRepository } from './test-agent/test-agent.repository.js';
import { TestAgentService } from './test-agent/test-agent.service.js';
import { TestVisitsController } from './test-agent/test-visits.controller.js';
import { RefusedRequestsController } from './test-visits/refused-requests.controller.js';
import { RefusedRequestsRepository } from './test-visits/refused-requests.repository.js';
import { SampleVisitService } from './test-visits/sample-visit.service.js';
import { SampleVisitsController } from './test-visits/sample-visits.controller.js';
import type { SitePolicy } from './test-visits/site-request.js';
import { SiteTestVisitsController } from './test-visits/test-visits.controller.js';
import { TestVisitsRepository } from './test-visits/test-visits.repository.js';
import { SITE_POLICY, TestVisitsService } from './test-visits/test-visits.service.js';
import {
  ExportLimits,
  DEFAULT_READING_LIMITS,
  READING_LIMITS,
  StreamLimits,
  type ReadingLimits,
} from './visits/stream-limits.js';
import { TimelineRepository } from './visits/timeline.repository.js';
import { VisitExportController } from './visits/visit-export.controller.js';
import { VisitExportService } from './visits/visit-export.service.js';
import { VisitStreamController } from './visits/visit-stream.controller.js';
import { VisitStreamService } from './visits/visit-stream.service.js';
import { VisitsController } from './visits/visits.controller.js';
import { registerWeb } from './web/web.routes.js';

const WEB_ROOT = Symbol('folder of the dashboard');

export interface ConsoleOptions {
  /** 32 bytes, as hex or base64, that access tokens are encrypted with at rest, and sessions' cookies signed. */
  secretKey: string;
  /** Accepted too, while the key is rotated. */
  previousSecretKey?: string | undefined;
  /** Address under which this is reached. */
  publicUrl: string;
  /** Where test visits may go: to public addresses unless given. */
  testVisits?: SitePolicy;
  /** Live streams and exports that may be under way. */
  limits?: ReadingLimits;
  /** An OpenID provider to sign in with. */
  oidc?: OidcSettings | null;
  /** Where the rules service is; null where it runs in this process. */
  rules?: ServiceClientOptions | null;
  /** Folder of the dashboard's bundle; without it only the interface is served. */
  webRoot?: string;
}

/** What people and tools read and administer with. */
@Module({})
export class ConsoleModule implements OnModuleInit {
  constructor(
    private readonly http: HttpAdapterHost,
    private readonly access: AccessService,
    private readonly attempts: AttemptsService,
    @Inject(WEB_ROOT) private readonly webRoot: string | undefined,
    @Inject(PUBLIC_URL) private readonly publicUrl: string,
  ) {}

  static forRoot(options: ConsoleOptions): DynamicModule {
    const { secretKey, oidc = null, rules = null, webRoot, testVisits, limits } = options;
    const publicUrl = options.publicUrl.replace(/\/{1,8}$/, '');
    const secrets = new SecretBox(secretKey, options.previousSecretKey);
    return {
      module: ConsoleModule,
      imports: [StatisticsModule, SystemModule.forRoot(rules)],
      controllers: [
        SessionController,
        OidcController,
        SetupController,
        AcceptanceController,
        MembersController,
        InvitationsController,
        ApiKeysController,
        ProjectsController,
        TokensController,
        VisitsController,
        VisitStreamController,
        VisitExportController,
        DeadLettersController,
        controllerOf(AGENT_OPERATIONS, AgentsApi),
        CatalogController,
        IdentificationsController,
        TestVisitsController,
        SiteTestVisitsController,
        SampleVisitsController,
        RefusedRequestsController,
        KeyDirectoryController,
        ProjectRulesController,
        UsersController,
        PasswordResetsController,
      ],
      providers: [
        AccessService,
        AccessChanges,
        AccountsRepository,
        ApiKeysRepository,
        AttemptsService,
        AuthenticationService,
        InvitationsRepository,
        MembersRepository,
        OidcService,
        SessionsRepository,
        BootstrapRepository,
        DeadLettersRepository,
        ProjectsRepository,
        ProjectRemovalRepository,
        TokensRepository,
        TimelineRepository,
        VisitStreamService,
        VisitExportService,
        StreamLimits,
        ExportLimits,
        { provide: READING_LIMITS, useValue: limits ?? DEFAULT_READING_LIMITS },
        TestAgentRepository,
        TestAgentService,
        TestVisitsRepository,
        TestVisitsService,
        RefusedRequestsRepository,
        SampleVisitService,
        { provide: SITE_POLICY, useValue: testVisits ?? { allowPrivateAddresses: false } },
        CatalogSummaryRepository,
        ProjectRulesRepository,
        UsersRepository,
        PasswordResetsRepository,
        ExpiryService,
        { provide: PUBLIC_URL, useValue: publicUrl },
        { provide: OIDC_SETTINGS, useValue: oidc },
        { provide: SecretBox, useValue: secrets },
        { provide: SessionCookie, useValue: new SessionCookie(secrets.derive('session cookies'), publicUrl) },
        { provide: DeviceCookie, useValue: new DeviceCookie(secrets.derive('device cookies'), publicUrl) },
        { provide: WEB_ROOT, useValue: webRoot },
      ],
    };
  }

  onModuleInit(): void {
    const instance = this.http.httpAdapter.getInstance();
    instance.serveOperations([...CONSOLE_INTERFACE.operations, getKeyDirectory]);
    registerConsoleAccess(instance, this.access, this.attempts);
    if (this.webRoot !== undefined) registerWeb(instance, this.webRoot, this.publicUrl);
  }
}
