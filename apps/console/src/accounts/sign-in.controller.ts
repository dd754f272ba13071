import { Controller } from '@nestjs/common';
import { finishSignIn, signIn, type SignInResponse, type User } from '#libs/contracts';
import { Handle, ProblemError, type RequestOf } from '#libs/platform';
import { AttemptsService } from '../access/attempts.service.js';
import { OidcService } from './oidc.service.js';
import { PasswordsService } from './passwords.service.js';
import { SignInsService } from './sign-ins.service.js';

@Controller()
export class SignInController {
  constructor(
    private readonly signIns: SignInsService,
    private readonly passwords: PasswordsService,
    private readonly attempts: AttemptsService,
    private readonly oidc: OidcService,
  ) {}

  @Handle(signIn)
  async signIn({ raw: request, reply, body }: RequestOf<typeof signIn>): Promise<SignInResponse> {
    const attempt = await this.attempts.signIn(request, body.email);
    // Checked before the account is looked up, so the response is the same for accounts that don't exist.
    this.oidc.requirePasswordAllowed(body.email);
    try {
      const { user, hash } = await this.passwords.check(body.email, body.password, attempt.priority);
      return await this.signIns.open(request, reply, user, { by: 'password', hash });
    } catch (error) {
      if (error instanceof ProblemError && error.type === 'unauthorized') await attempt.failed();
      throw error;
    }
  }

  @Handle(finishSignIn)
  async finish({ raw: request, reply, body }: RequestOf<typeof finishSignIn>): Promise<{ user: User }> {
    return { user: await this.signIns.finishWithCode(request, reply, body.code) };
  }
}
