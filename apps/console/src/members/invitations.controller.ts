import { Controller, Inject } from '@nestjs/common';
import { createInvitation, MAX_INVITATIONS, revokeInvitation, type RevealedInvitation } from '#libs/contracts';
import { Handle, notFound, ProblemError, type RequestOf } from '#libs/platform';
import { PUBLIC_URL } from '../public-url.js';
import { InvitationsRepository } from './invitations.repository.js';

@Controller()
export class InvitationsController {
  constructor(
    private readonly invitations: InvitationsRepository,
    @Inject(PUBLIC_URL) private readonly publicUrl: string,
  ) {}

  @Handle(createInvitation)
  async create({
    params: { id: projectId },
    principal,
    body,
  }: RequestOf<typeof createInvitation>): Promise<RevealedInvitation> {
    const { role } = body;
    const created = await this.invitations.create(projectId, role, principal.makerId);
    if (created === null) throw notFound('project');
    if (created === 'full') {
      throw new ProblemError(
        'conflict',
        `The project already has ${MAX_INVITATIONS} open invitations. Withdraw one first.`,
      );
    }
    const { token, ...invitation } = created;
    return { ...invitation, url: `${this.publicUrl}/invitations/${token}` };
  }

  @Handle(revokeInvitation)
  async revoke({ params: { id: projectId, invitationId } }: RequestOf<typeof revokeInvitation>): Promise<void> {
    if (!(await this.invitations.revoke(projectId, invitationId))) {
      throw notFound('invitation');
    }
  }
}
