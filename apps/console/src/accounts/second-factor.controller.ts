import { Controller, Inject } from '@nestjs/common';
import {
  activateSecondFactor,
  beginSecondFactor,
  removeOwnSecondFactor,
  removeSecondFactor,
  replaceRecoveryCodes,
  type NewSecondFactor,
  type RecoveryCodes,
} from '#libs/contracts';
import { Handle, notFound, ProblemError, type RequestOf } from '#libs/platform';
import { AttemptsService } from '../access/attempts.service.js';
import { AccessChanges } from '../access/access-changes.service.js';
import { SessionCookie } from '../access/session-cookie.js';
import { PUBLIC_URL } from '../public-url.js';
import { OwnAccountRepository } from './own-account.repository.js';
import { SecondFactorsRepository } from './second-factors.repository.js';
import { wrongCode } from './second-factors.service.js';
import { toSetupUrl } from './time-code.js';

@Controller()
export class SecondFactorController {
  constructor(
    private readonly secondFactors: SecondFactorsRepository,
    private readonly accounts: OwnAccountRepository,
    private readonly attempts: AttemptsService,
    private readonly changes: AccessChanges,
    private readonly cookie: SessionCookie,
    @Inject(PUBLIC_URL) private readonly publicUrl: string,
  ) {}

  @Handle(beginSecondFactor)
  async begin({ principal, reply }: RequestOf<typeof beginSecondFactor>): Promise<NewSecondFactor> {
    const user = principal.user!;
    if ((await this.accounts.logins(user.id)).password === null) {
      throw new ProblemError(
        'conflict',
        'This account has no password because it signs in with the OpenID provider. Set up a second factor there instead.',
      );
    }
    const secret = await this.secondFactors.begin(user);
    if (secret === null) {
      throw new ProblemError(
        'conflict',
        'This account already has a second factor. Remove it first to set up another one.',
      );
    }
    void reply.header('cache-control', 'no-store');
    const issuer = `Agent Traffic (${new URL(this.publicUrl).host})`;
    return { secret, url: toSetupUrl(secret, issuer, user.email) };
  }

  @Handle(activateSecondFactor)
  async activate({
    principal,
    raw: request,
    reply,
    body,
  }: RequestOf<typeof activateSecondFactor>): Promise<RecoveryCodes> {
    const user = principal.user!;
    await this.attempts.secondFactor(request, user);
    const activated = await this.secondFactors.activate(user, body.code.replaceAll(/\s/g, ''));
    if (activated === 'wrong-code') throw wrongCode();
    if (activated === 'not-begun') {
      throw new ProblemError(
        'conflict',
        'The setup was not started, or it was started more than an hour ago. Start again.',
      );
    }
    await this.changes.apply();
    void reply.header('set-cookie', this.cookie.issue(activated.session)).header('cache-control', 'no-store');
    return { recovery_codes: activated.codes };
  }

  @Handle(replaceRecoveryCodes)
  async replaceCodes({ principal, reply }: RequestOf<typeof replaceRecoveryCodes>): Promise<RecoveryCodes> {
    const codes = await this.secondFactors.replaceRecoveryCodes(principal.user!);
    if (codes === null) throw notFound('second factor');
    void reply.header('cache-control', 'no-store');
    return { recovery_codes: codes };
  }

  @Handle(removeOwnSecondFactor)
  async removeOwn({ principal, reply }: RequestOf<typeof removeOwnSecondFactor>): Promise<void> {
    const session = await this.secondFactors.removeOwn(principal.user!);
    if (session === null) throw notFound('second factor');
    await this.changes.apply();
    void reply.header('set-cookie', this.cookie.issue(session));
  }

  @Handle(removeSecondFactor)
  async remove({ principal, params: { userId } }: RequestOf<typeof removeSecondFactor>): Promise<void> {
    if (!(await this.secondFactors.remove(userId, principal.makerId))) throw notFound('second factor');
    await this.changes.apply();
  }
}
