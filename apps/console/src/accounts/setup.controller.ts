import { Controller } from '@nestjs/common';
import { createSetupCode, setUp, type SetupCode, type User } from '#libs/contracts';
import { Handle, ProblemError, type RequestOf } from '#libs/platform';
import { AccountsRepository } from './accounts.repository.js';
import { AttemptsService } from '../access/attempts.service.js';
import { PasswordsService } from './passwords.service.js';
import { SignInsService } from './sign-ins.service.js';

@Controller()
export class SetupController {
  constructor(
    private readonly accounts: AccountsRepository,
    private readonly passwords: PasswordsService,
    private readonly signIns: SignInsService,
    private readonly attempts: AttemptsService,
  ) {}

  @Handle(setUp)
  async setUp({ raw: request, reply, body }: RequestOf<typeof setUp>): Promise<{ user: User }> {
    const { code, email, name, password } = body;
    await this.attempts.setup(request);
    // Check the code before the slow password hash. Read it before `isSetupRequired`: if another request uses the code
    // in between, this request then fails with `alreadySetUp` instead of `wrongCode`.
    const isCodeValid = await this.accounts.isSetupCode(code);
    if (!(await this.accounts.isSetupRequired())) throw alreadySetUp();
    if (!isCodeValid) throw wrongCode();
    const passwordHash = await this.passwords.hashNew(password, { email, name });
    const user = await this.accounts.setUp(code, { email, name, passwordHash, isAdmin: true, isVerified: true });
    if (user === 'already-set-up') throw alreadySetUp();
    if (user === 'wrong-code') throw wrongCode();
    if (user === 'known')
      throw new ProblemError('conflict', 'This email address already has an account. Use a different one.');
    await this.signIns.open(request, reply, user, { by: 'password', hash: passwordHash }, { isNewAccount: true });
    return { user };
  }

  @Handle(createSetupCode)
  async createCode(): Promise<SetupCode> {
    const code = await this.accounts.createSetupCode();
    if (code === null) throw alreadySetUp();
    return code;
  }
}

const wrongCode = (): ProblemError =>
  new ProblemError(
    'forbidden',
    'The setup code is wrong, was already used, or is older than a day. Create a new one with "./agent-traffic setup-code".',
    { rejected: 'code' },
  );

const alreadySetUp = (): ProblemError =>
  new ProblemError(
    'conflict',
    'This instance already has an administrator. Sign in, or ask the administrator for an invitation.',
  );
