import { Controller } from '@nestjs/common';
import { finishSignIn, signIn, type SignInAnswer, type User } from '#libs/contracts';
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
  async signIn({ raw: request, reply, body }: RequestOf<typeof signIn>): Promise<SignInAnswer> {
    const attempt = await this.attempts.signIn(request, body.email);
    // Applies to nonexistent accounts too, so the response doesn't reveal which exist.
    this.oidc.requireOtherWays(body.email);
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
    return { user: await this.signIns.withCode(request, reply, body.code) };
  }
}
