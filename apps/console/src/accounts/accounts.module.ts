import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module.js';
import { MailModule } from '../alerts/channels/mail.module.js';
import { MembersModule } from '../members/members.module.js';
import { AcceptanceController } from './acceptance.controller.js';
import { AccountsRepository } from './accounts.repository.js';
import { ConfirmationController } from './confirmation.controller.js';
import { AccountExpiryService } from './account-expiry.service.js';
import { OidcController } from './oidc.controller.js';
import { OidcRepository } from './oidc.repository.js';
import { OidcService } from './oidc.service.js';
import { OwnAccountController } from './own-account.controller.js';
import { OwnAccountRepository } from './own-account.repository.js';
import { PasskeysController } from './passkeys.controller.js';
import { PasskeysRepository } from './passkeys.repository.js';
import { PasskeysService } from './passkeys.service.js';
import { PasswordController } from './password.controller.js';
import { PasswordsService } from './passwords.service.js';
import { PasswordResetsController } from './password-resets.controller.js';
import { PasswordResetsRepository } from './password-resets.repository.js';
import { SessionController } from './session.controller.js';
import { SecondFactorController } from './second-factor.controller.js';
import { SecondFactorsRepository } from './second-factors.repository.js';
import { SecondFactorsService } from './second-factors.service.js';
import { SetupController } from './setup.controller.js';
import { SignInController } from './sign-in.controller.js';
import { SignInNotices } from './sign-in-notices.service.js';
import { SignInsRepository } from './sign-ins.repository.js';
import { SignInsService } from './sign-ins.service.js';
import { PasswordsModule } from '../passwords/passwords.module.js';
import { UsersController } from './users.controller.js';
import { UsersRepository } from './users.repository.js';

@Module({
  imports: [AccessModule, MailModule, MembersModule, PasswordsModule],
  controllers: [
    SessionController,
    SignInController,
    ConfirmationController,
    PasswordController,
    SecondFactorController,
    PasskeysController,
    OidcController,
    SetupController,
    AcceptanceController,
    PasswordResetsController,
    UsersController,
    OwnAccountController,
  ],
  providers: [
    AccountsRepository,
    AccountExpiryService,
    OidcRepository,
    OidcService,
    OwnAccountRepository,
    PasskeysRepository,
    PasskeysService,
    PasswordResetsRepository,
    PasswordsService,
    SecondFactorsRepository,
    SecondFactorsService,
    SignInNotices,
    SignInsRepository,
    SignInsService,
    UsersRepository,
  ],
})
export class AccountsModule {}
