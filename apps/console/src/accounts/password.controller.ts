import { Controller } from '@nestjs/common';
import { changePassword } from '#libs/contracts';
import { Handle, type RequestOf } from '#libs/platform';
import { AccessChanges } from '../access/access-changes.service.js';
import { AttemptsService } from '../access/attempts.service.js';
import { requireConfirmed } from '../access/principal.js';
import { SessionCookie } from '../access/session-cookie.js';
import { PasswordsService } from './passwords.service.js';
import { SecondFactorsRepository } from './second-factors.repository.js';

@Controller()
export class PasswordController {
  constructor(
    private readonly passwords: PasswordsService,
    private readonly cookie: SessionCookie,
    private readonly secondFactors: SecondFactorsRepository,
    private readonly attempts: AttemptsService,
    private readonly changes: AccessChanges,
  ) {}

  @Handle(changePassword)
  async change({ principal, raw: request, reply, body }: RequestOf<typeof changePassword>): Promise<void> {
    const { id } = principal.user!;
    const { current_password: current, new_password: next } = body;
    // The password change opens a new session that counts as confirmed. If the account has a second factor, knowing the
    // password isn't enough for that, so the current session must be confirmed.
    if ((await this.secondFactors.find(id)) !== null) requireConfirmed(principal);
    await this.attempts.password(id);
    const session = await this.passwords.change(request, current, next);
    void reply.header('set-cookie', this.cookie.issue(session));
    await this.changes.apply();
  }
}
