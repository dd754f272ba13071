import { type DynamicModule, Inject, Module, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { SecretBox } from '#libs/database';
import { AccessChanges } from './access/access-changes.service.js';
import { registerConsoleAccess } from './access/access.hook.js';
import { AccessService } from './access/access.service.js';
import { ApiKeysController } from './access/api-keys.controller.js';
import { ApiKeysRepository } from './access/api-keys.repository.js';
import { BootstrapRepository } from './bootstrap.repository.js';
import { AgentsController } from './catalogue/agents.controller.js';
import { IdentificationsController } from './catalogue/identifications.controller.js';
import { DeadLettersController } from './dead-letters/dead-letters.controller.js';
import { DeadLettersRepository } from './dead-letters/dead-letters.repository.js';
import { ProjectsController } from './projects/projects.controller.js';
import { ProjectsRepository } from './projects/projects.repository.js';
import { TokensController } from './projects/tokens.controller.js';
import { TokensRepository } from './projects/tokens.repository.js';
import { KeyDirectoryController } from './test-agent/key-directory.controller.js';
import { TestAgentRepository } from './test-agent/test-agent.repository.js';
import { PUBLIC_URL, TestAgentService } from './test-agent/test-agent.service.js';
import { TestVisitsController } from './test-agent/test-visits.controller.js';
import { TimelineRepository } from './visits/timeline.repository.js';
import { VisitStreamController } from './visits/visit-stream.controller.js';
import { VisitStreamService } from './visits/visit-stream.service.js';
import { VisitsController } from './visits/visits.controller.js';
import { registerWeb } from './web/web.routes.js';

const WEB_ROOT = Symbol('folder of the dashboard');

export interface ConsoleOptions {
  /** 32 bytes, as hex or base64, that access tokens are encrypted with at rest. */
  secretKey: string;
  /** Address under which this is reached. */
  publicUrl: string;
  /** Folder of the dashboard's bundle; without it only the interface is served. */
  webRoot?: string;
}

/** What people and tools read and administer with. */
@Module({})
export class ConsoleModule implements OnModuleInit {
  constructor(
    @Inject(HttpAdapterHost) private readonly http: HttpAdapterHost,
    @Inject(AccessService) private readonly access: AccessService,
    @Inject(WEB_ROOT) private readonly webRoot: string | undefined,
    @Inject(PUBLIC_URL) private readonly publicUrl: string,
  ) {}

  static forRoot({ secretKey, publicUrl, webRoot }: ConsoleOptions): DynamicModule {
    return {
      module: ConsoleModule,
      controllers: [
        ApiKeysController,
        ProjectsController,
        TokensController,
        VisitsController,
        VisitStreamController,
        DeadLettersController,
        AgentsController,
        IdentificationsController,
        TestVisitsController,
        KeyDirectoryController,
      ],
      providers: [
        AccessService,
        AccessChanges,
        ApiKeysRepository,
        BootstrapRepository,
        DeadLettersRepository,
        ProjectsRepository,
        TokensRepository,
        TimelineRepository,
        VisitStreamService,
        TestAgentRepository,
        TestAgentService,
        { provide: PUBLIC_URL, useValue: publicUrl },
        { provide: WEB_ROOT, useValue: webRoot },
        { provide: SecretBox, useValue: new SecretBox(secretKey) },
      ],
    };
  }

  onModuleInit(): void {
    const instance = this.http.httpAdapter.getInstance();
    registerConsoleAccess(instance, this.access);
    if (this.webRoot !== undefined) registerWeb(instance, this.webRoot, this.publicUrl);
  }
}
