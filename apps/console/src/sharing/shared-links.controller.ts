import { Controller, Inject } from '@nestjs/common';
import {
  createSharedLink,
  listSharedLinks,
  MAX_SHARED_LINKS,
  revokeSharedLink,
  type RevealedSharedLink,
  type SharedLink,
} from '#libs/contracts';
import { Handle, invalidBody, notFound, ProblemError, type RequestOf } from '#libs/platform';
import { AttemptsService } from '../access/attempts.service.js';
import { requireStrongPassword } from '../passwords/new-password.js';
import { PasswordHasher } from '../passwords/password-hasher.service.js';
import { ProjectsRepository } from '../projects/projects.repository.js';
import { PUBLIC_URL } from '../public-url.js';
import { SharedLinksRepository } from './shared-links.repository.js';

@Controller()
export class SharedLinksController {
  constructor(
    private readonly links: SharedLinksRepository,
    private readonly projects: ProjectsRepository,
    private readonly attempts: AttemptsService,
    private readonly passwords: PasswordHasher,
    @Inject(PUBLIC_URL) private readonly publicUrl: string,
  ) {}

  @Handle(listSharedLinks)
  async list({ params }: RequestOf<typeof listSharedLinks>): Promise<{ shared_links: SharedLink[] }> {
    const { id } = await this.projects.require(params.id);
    return { shared_links: (await this.links.list(id)).map((link) => this.withBadgeUrl(link)) };
  }

  @Handle(createSharedLink)
  async create({ params, principal, body }: RequestOf<typeof createSharedLink>): Promise<RevealedSharedLink> {
    const { name, password, expires_in_days: days = null, is_badge: isBadge = false } = body;
    if (isBadge && password !== undefined) throw invalidBody('/password', "isn't available for badges");
    const hash = password === undefined ? null : await this.hashPassword(password, { name, projectId: params.id });
    const created = await this.links.create(params.id, { name, isBadge, password: hash, days }, principal.makerId);
    if (created === 'unknown') throw notFound('project');
    if (created === 'full') {
      throw new ProblemError(
        'conflict',
        `A project can have at most ${MAX_SHARED_LINKS} shared links. Revoke one first.`,
      );
    }
    const { link, secret } = created;
    return { ...this.withBadgeUrl(link), url: isBadge ? null : `${this.publicUrl}/shared/${secret}` };
  }

  private withBadgeUrl({ badge, ...link }: Awaited<ReturnType<SharedLinksRepository['list']>>[number]): SharedLink {
    return { ...link, badge_url: badge && `${this.publicUrl}/api/shared-badges/${badge}` };
  }

  private async hashPassword(
    password: string,
    { name, projectId }: { name: string; projectId: string },
  ): Promise<string> {
    await this.attempts.linkPassword(projectId);
    await requireStrongPassword(password, { name, url: this.publicUrl }, '/password');
    return this.passwords.hash(password, 'known');
  }

  @Handle(revokeSharedLink)
  async revoke({ params }: RequestOf<typeof revokeSharedLink>): Promise<void> {
    if (!(await this.links.revoke(params.id, params.linkId))) throw notFound('shared link');
  }
}
