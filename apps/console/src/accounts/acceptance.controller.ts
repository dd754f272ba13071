import { Controller } from '@nestjs/common';
import { acceptInvitation, getInvitation, type Accepted, type OpenInvitation } from '#libs/contracts';
import { Handle, ProblemError, type RequestOf, unauthorized } from '#libs/platform';
import type { FastifyRequest } from 'fastify';
import { AccessChanges } from '../access/access-changes.service.js';
import { requireSecondFactor } from '../access/principal.js';
import { AttemptsService } from '../access/attempts.service.js';
import { PasswordsService } from './passwords.service.js';
import { OidcService } from './oidc.service.js';
import { SignInsService } from './sign-ins.service.js';
import { InvitationsRepository } from '../members/invitations.repository.js';

@Controller()
export class AcceptanceController {
  constructor(
    private readonly invitations: InvitationsRepository,
    private readonly passwords: PasswordsService,
    private readonly signIns: SignInsService,
    private readonly attempts: AttemptsService,
    private readonly changes: AccessChanges,
    private readonly oidc: OidcService,
  ) {}

  @Handle(getInvitation)
  async show({ params: { token } }: RequestOf<typeof getInvitation>): Promise<OpenInvitation> {
    const invitation = await this.invitations.find(token);
    if (invitation === null) throw invitationNotFound();
    return invitation;
  }

  @Handle(acceptInvitation)
  async accept({
    params: { token },
    raw: request,
    reply,
    body,
  }: RequestOf<typeof acceptInvitation>): Promise<Accepted> {
    const { name, email, password } = body;
    await this.attempts.fromNetwork(request);
    if ((await this.invitations.find(token)) === null) throw invitationNotFound();
    if (name === undefined || email === undefined || password === undefined) return this.join(request, token);
    this.oidc.requirePasswordAllowed(email);
    const passwordHash = await this.passwords.hashNew(password, { email, name });
    const joined = await this.invitations.joinAs(token, {
      name,
      email,
      passwordHash,
      isAdmin: false,
      isVerified: false,
    });
    if (joined === null) throw invitationNotFound();
    if (joined === 'known') {
      throw new ProblemError(
        'conflict',
        'This email address already has an account. Sign in, then open the link again.',
      );
    }
    await this.signIns.open(
      request,
      reply,
      joined.user,
      { by: 'password', hash: passwordHash },
      { isNewAccount: true },
    );
    return { user: joined.user, project_id: joined.projectId };
  }

  private async join({ visitor }: FastifyRequest, token: string): Promise<Accepted> {
    const user = visitor?.user ?? null;
    if (user === null)
      throw unauthorized('Sign in first, or send a name, an email address and a password to create an account.');
    requireSecondFactor(visitor!);
    const projectId = await this.invitations.join(token, user.id);
    if (projectId === null) throw invitationNotFound();
    await this.changes.apply();
    const { id, email, name, is_admin } = user;
    return { user: { id, email, name, is_admin }, project_id: projectId };
  }
}

/**
 * Error for an invitation that doesn't exist. It names all possible reasons, because used, withdrawn and expired
 * invitations are deleted, so it's unknown which one applies.
 */
const invitationNotFound = (): ProblemError =>
  new ProblemError('not-found', 'This invitation has already been used or withdrawn, or it has expired.');
