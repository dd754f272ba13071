import { type DynamicModule, Inject, Module, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { createFilesLimit, RateLimiter } from '#libs/cache';
import { CONSOLE_INTERFACE, exchangeMcpMessages, getKeyDirectory } from '#libs/contracts';
import { registerConsoleAccess } from './access/access.hook.js';
import { AccessModule } from './access/access.module.js';
import { AccessService } from './access/access.service.js';
import { AttemptsService } from './access/attempts.service.js';
import { AccountsModule } from './accounts/accounts.module.js';
import { AlertsModule } from './alerts/alerts.module.js';
import { AgentsModule } from './agents/agents.module.js';
import { registerAudit } from './audit/audit.hook.js';
import { VisitChangesModule } from './visit-changes/visit-changes.module.js';
import { AuditModule } from './audit/audit.module.js';
import { RejectionsRepository } from './audit/rejections.repository.js';
import { AuditRepository } from './audit/audit.repository.js';
import { BootstrapRepository } from './bootstrap.repository.js';
import { ComplianceModule } from './compliance/compliance.module.js';
import { ConductModule } from './conduct/conduct.module.js';
import { SitemapsModule } from './sitemaps/sitemaps.module.js';
import { OnboardingModule } from './onboarding/onboarding.module.js';
import { DemoModule } from './demo/demo.module.js';
import { McpModule } from './mcp/mcp.module.js';
import { MembersModule } from './members/members.module.js';
import { PasswordsModule } from './passwords/passwords.module.js';
import { PaymentsModule } from './payments/payments.module.js';
import { PermissionsModule } from './permissions/permissions.module.js';
import { ProjectsModule } from './projects/projects.module.js';
import { PUBLIC_URL } from './public-url.js';
import { PublicUrlTls } from './public-url-tls.js';
import { CatalogCacheRepository } from './reads/catalog-cache.repository.js';
import { registerReadLimits } from './reads/read-limits.hook.js';
import { ReadLimits } from './reads/read-limits.js';
import { ReadsModule } from './reads/reads.module.js';
import { ReportsModule } from './reports/reports.module.js';
import { RobotsVersionsModule } from './robots-versions/robots-versions.module.js';
import { PolicyModule } from './policy/policy.module.js';
import { RulesModule } from './rules/rules.module.js';
import { SavedFiltersModule } from './saved-filters/saved-filters.module.js';
import { ChartNotesModule } from './chart-notes/chart-notes.module.js';
import { ReidentificationModule } from './reidentification/reidentification.module.js';
import { SettingsModule, WEB_ROOT, type ConsoleOptions } from './settings.module.js';
import { registerSharedAccess } from './sharing/shared-link.hook.js';
import { SharedLinksRepository } from './sharing/shared-links.repository.js';
import { SharedPass } from './sharing/shared-pass.js';
import { SharingModule } from './sharing/sharing.module.js';
import { StatementsModule } from './statements/statements.module.js';
import { StatisticsModule } from './statistics/statistics.module.js';
import { SystemModule } from './system/system.module.js';
import { JourneysModule } from './journeys/journeys.module.js';
import { ToolsModule } from './tools/tools.module.js';
import { UnlistedModule } from './unlisted-agents/unlisted.module.js';
import { VisitsModule } from './visits/visits.module.js';
import { registerWeb } from './web/web.routes.js';

/** Root module of the dashboard and its API. */
@Module({
  imports: [
    AccessModule,
    AccountsModule,
    MembersModule,
    PasswordsModule,
    PaymentsModule,
    ProjectsModule,
    VisitsModule,
    StatisticsModule,
    ComplianceModule,
    ConductModule,
    PermissionsModule,
    JourneysModule,
    StatementsModule,
    SitemapsModule,
    ToolsModule,
    AgentsModule,
    RulesModule,
    PolicyModule,
    RobotsVersionsModule,
    SavedFiltersModule,
    SharingModule,
    ChartNotesModule,
    ReadsModule,
    ReportsModule,
    UnlistedModule,
    ReidentificationModule,
    OnboardingModule,
    DemoModule,
    McpModule,
    SystemModule,
  ],
  providers: [BootstrapRepository],
})
export class ConsoleModule implements OnModuleInit {
  constructor(
    private readonly http: HttpAdapterHost,
    private readonly access: AccessService,
    private readonly attempts: AttemptsService,
    private readonly log: AuditRepository,
    private readonly reads: ReadLimits,
    private readonly catalog: CatalogCacheRepository,
    private readonly rejections: RejectionsRepository,
    private readonly links: SharedLinksRepository,
    private readonly passes: SharedPass,
    @Inject(WEB_ROOT) private readonly webRoot: string | undefined,
    private readonly tls: PublicUrlTls,
    private readonly limiter: RateLimiter,
    @Inject(PUBLIC_URL) private readonly publicUrl: string,
  ) {}

  static forRoot(options: ConsoleOptions): DynamicModule {
    const { hasQueue } = options;
    return {
      module: ConsoleModule,
      imports: [
        SettingsModule.forRoot(options),
        AlertsModule.forRoot(hasQueue),
        AuditModule.forRoot(hasQueue),
        VisitChangesModule.forRoot(hasQueue),
      ],
    };
  }

  onModuleInit(): void {
    const instance = this.http.httpAdapter.getInstance();
    instance.serveOperations([...CONSOLE_INTERFACE.operations, exchangeMcpMessages, getKeyDirectory]);
    registerConsoleAccess(instance, this.access, this.attempts);
    registerReadLimits(instance, this.reads, this.catalog);
    registerAudit(instance, this.log, this.rejections);
    this.tls.watch(instance);
    registerSharedAccess(instance, this.links, this.passes);
    if (this.webRoot !== undefined) registerWeb(instance, this.webRoot, this.publicUrl, createFilesLimit(this.limiter));
  }
}
