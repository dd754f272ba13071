import { Module } from '@nestjs/common';
import { credentialUsage } from '#libs/database';
import { AccessChanges } from './access-changes.service.js';
import { AccessService } from './access.service.js';
import { ApiKeysController } from './api-keys.controller.js';
import { ApiKeysRepository } from './api-keys.repository.js';
import { AttemptsService } from './attempts.service.js';
import { SessionsRepository } from './sessions.repository.js';

@Module({
  controllers: [ApiKeysController],
  providers: [
    AccessChanges,
    AccessService,
    ApiKeysRepository,
    AttemptsService,
    SessionsRepository,
    credentialUsage('api_keys'),
  ],
  exports: [AccessChanges, AccessService, AttemptsService, SessionsRepository],
})
export class AccessModule {}
