import { Controller } from '@nestjs/common';
import {
  beginPasskey,
  beginPasskeySignIn,
  createPasskey,
  removePasskey,
  removePasskeys,
  renamePasskey,
  signInWithPasskey,
  type Passkey,
  type User,
} from '#libs/contracts';
import { Handle, notFound, ProblemError, type RequestOf } from '#libs/platform';
import { AccessChanges } from '../access/access-changes.service.js';
import { AttemptsService } from '../access/attempts.service.js';
import { OidcService } from './oidc.service.js';
import { OwnAccountRepository } from './own-account.repository.js';
import { PasskeysRepository } from './passkeys.repository.js';
import { PasskeysService } from './passkeys.service.js';
import { SignInsService } from './sign-ins.service.js';

@Controller()
export class PasskeysController {
  constructor(
    private readonly passkeys: PasskeysRepository,
    private readonly ceremonies: PasskeysService,
    private readonly accounts: OwnAccountRepository,
    private readonly signIns: SignInsService,
    private readonly attempts: AttemptsService,
    private readonly changes: AccessChanges,
    private readonly oidc: OidcService,
  ) {}

  @Handle(beginPasskeySignIn)
  async beginSignIn({ raw: request, reply }: RequestOf<typeof beginPasskeySignIn>) {
    return { options: await this.ceremonies.beginSignIn(request, reply) };
  }

  @Handle(signInWithPasskey)
  async signIn({ raw: request, reply, body }: RequestOf<typeof signInWithPasskey>): Promise<{ user: User }> {
    await this.attempts.passkey(request);
    const user = await this.ceremonies.verifySignIn(request, body);
    this.oidc.requirePasswordAllowed(user.email);
    await this.signIns.open(request, reply, user, { by: 'passkey' });
    return { user };
  }

  @Handle(beginPasskey)
  async begin({ principal, raw: request, reply }: RequestOf<typeof beginPasskey>) {
    const user = principal.user!;
    if (this.oidc.isProviderRequired(user.email) || (await this.accounts.logins(user.id)).password === null) {
      throw new ProblemError(
        'conflict',
        "This account can only sign in with the OpenID provider, so it can't have passkeys.",
      );
    }
    return { options: await this.ceremonies.beginRegistration(request, reply, user) };
  }

  @Handle(createPasskey)
  async create({ principal, raw: request, body }: RequestOf<typeof createPasskey>): Promise<Passkey> {
    return this.ceremonies.register(request, principal.user!, body);
  }

  @Handle(renamePasskey)
  async rename({ principal, params: { passkeyId }, body }: RequestOf<typeof renamePasskey>): Promise<void> {
    if (!(await this.passkeys.rename(principal.user!.id, passkeyId, body.name))) throw notFound('passkey');
  }

  @Handle(removePasskey)
  async remove({ principal, params: { passkeyId } }: RequestOf<typeof removePasskey>): Promise<void> {
    if (!(await this.passkeys.remove(principal.user!.id, passkeyId))) throw notFound('passkey');
  }

  @Handle(removePasskeys)
  async removeAll({ principal, params: { userId } }: RequestOf<typeof removePasskeys>): Promise<void> {
    if (!(await this.passkeys.removeAll(userId, principal.makerId))) throw notFound('passkey');
    await this.changes.apply();
  }
}
