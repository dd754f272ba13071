import { Controller } from '@nestjs/common';
import {
  getSharedBadge,
  getSharedOverview,
  openSharedLink,
  type SharedOverview,
  type SharedPass as Pass,
} from '#libs/contracts';
import { CredentialUsage } from '#libs/database';
import { Handle, ProblemError, type RequestOf } from '#libs/platform';
import { AttemptsService } from '../access/attempts.service.js';
import { PasswordHasher } from '../passwords/password-hasher.service.js';
import { renderBadge } from './badge.js';
import { linkNotFound } from './shared-link.hook.js';
import { SharedLinksRepository } from './shared-links.repository.js';
import { SharedOverviewService } from './shared-overview.service.js';
import { SharedPass } from './shared-pass.js';

/** API for viewers of a shared link. Its operations have no project ID, because the link determines the project. */
@Controller()
export class SharedController {
  constructor(
    private readonly links: SharedLinksRepository,
    private readonly overviews: SharedOverviewService,
    private readonly passes: SharedPass,
    private readonly attempts: AttemptsService,
    private readonly passwords: PasswordHasher,
    private readonly usage: CredentialUsage,
  ) {}

  @Handle(openSharedLink)
  async open({ params, body, raw: request }: RequestOf<typeof openSharedLink>): Promise<Pass> {
    const link = await this.links.find(params.secret);
    if (link === null) {
      await this.attempts.fromNetwork(request);
      throw linkNotFound();
    }
    if (link.password === null)
      throw new ProblemError('conflict', 'This link has no password. Open it without a password.');
    await this.attempts.sharedLink(request, link.id);
    if (!(await this.passwords.verify(body.password, link.password, 'known'))) {
      throw new ProblemError('invalid-body', 'The password is wrong.', {
        errors: [{ pointer: '/password', detail: 'is wrong' }],
        rejected: 'password',
      });
    }
    return this.passes.issue(link);
  }

  @Handle(getSharedOverview)
  async overview({ sharedLink, query }: RequestOf<typeof getSharedOverview>): Promise<SharedOverview> {
    const overview = await this.overviews.overview(sharedLink, query.range);
    this.usage.record(sharedLink.id);
    return { project_name: sharedLink.project_name, ...overview };
  }

  @Handle(getSharedBadge)
  async badge({ sharedLink, reply }: RequestOf<typeof getSharedBadge>): Promise<void> {
    const visits = await this.overviews.countAgentVisitsThisMonth(sharedLink);
    const headers = {
      'content-type': 'image/svg+xml; charset=utf-8',
      // Shared caches must not store password-protected content.
      'cache-control': sharedLink.password === null ? 'public, max-age=300' : 'no-store',
      'cross-origin-resource-policy': 'cross-origin',
    };
    await reply.headers(headers).send(renderBadge('agent visits', `${visits.toLocaleString('en')} this month`));
  }
}
