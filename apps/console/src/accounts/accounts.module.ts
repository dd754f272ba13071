import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module.js';
import { MembersModule } from '../members/members.module.js';
import { AcceptanceController } from './acceptance.controller.js';
import { AccountsRepository } from './accounts.repository.js';
import { AuthenticationService } from './authentication.service.js';
import { ExpiryService } from './expiry.service.js';
import { OidcController } from './oidc.controller.js';
import { OidcService } from './oidc.service.js';
import { OwnAccountController } from './own-account.controller.js';
import { OwnAccountRepository } from './own-account.repository.js';
import { PasswordResetsController } from './password-resets.controller.js';
import { PasswordResetsRepository } from './password-resets.repository.js';
import { SessionController } from './session.controller.js';
import { SetupController } from './setup.controller.js';
import { UsersController } from './users.controller.js';
import { UsersRepository } from './users.repository.js';

/** People's accounts: signing in and out, setting up, accepting invitations, new passwords. */
@Module({
  imports: [AccessModule, MembersModule],
  controllers: [
    SessionController,
    OidcController,
    SetupController,
    AcceptanceController,
    PasswordResetsController,
    UsersController,
    OwnAccountController,
  ],
  providers: [
    AccountsRepository,
    AuthenticationService,
    ExpiryService,
    OidcService,
    OwnAccountRepository,
    PasswordResetsRepository,
    UsersRepository,
  ],
})
export class AccountsModule {}
