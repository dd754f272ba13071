import { Controller } from '@nestjs/common';
import { startOidcSignIn, finishOidcSignIn } from '#libs/contracts';
import { Handle, type RequestOf } from '#libs/platform';
import { AccessChanges } from '../access/access-changes.service.js';
import { AttemptsService } from '../access/attempts.service.js';
import { OidcService } from './oidc.service.js';

@Controller()
export class OidcController {
  constructor(
    private readonly oidc: OidcService,
    private readonly attempts: AttemptsService,
    private readonly changes: AccessChanges,
  ) {}

  @Handle(startOidcSignIn)
  async start({ raw: request, reply, query }: RequestOf<typeof startOidcSignIn>): Promise<void> {
    await this.attempts.fromNetwork(request);
    await reply.redirect(await this.oidc.start(request, reply, query.return_to ?? '/'), 302);
  }

  @Handle(finishOidcSignIn)
  async finish({ raw: request, reply }: RequestOf<typeof finishOidcSignIn>): Promise<void> {
    await this.attempts.publicRequest(request);
    const { destination, isSignedIn } = await this.oidc.finish(request, reply);
    // Make sure that the changes are in effect before the next request: the sign-in may have ended sessions or made the
    // user an administrator.
    if (isSignedIn) await this.changes.apply();
    await reply.redirect(destination, 302);
  }
}
