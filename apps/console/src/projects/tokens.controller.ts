import { Controller } from '@nestjs/common';
import {
  createToken,
  listTokens,
  MAX_ACCESS_TOKENS,
  revealToken,
  revokeToken,
  TOKEN_PURPOSES,
  type AccessToken,
  type RevealedAccessToken,
} from '#libs/contracts';
import { Handle, notFound, ProblemError, type RequestOf } from '#libs/platform';
import { AccessChanges } from '../access/access-changes.service.js';
import { parseCredentialLimits } from '../access/credential-limits.js';
import { ProjectsRepository } from './projects.repository.js';
import { TokensRepository } from './tokens.repository.js';

@Controller()
export class TokensController {
  constructor(
    private readonly tokens: TokensRepository,
    private readonly projects: ProjectsRepository,
    private readonly changes: AccessChanges,
  ) {}

  @Handle(listTokens)
  async list({ params: { id: projectId } }: RequestOf<typeof listTokens>): Promise<{ tokens: AccessToken[] }> {
    await this.projects.require(projectId);
    return { tokens: await this.tokens.list(projectId) };
  }

  @Handle(createToken)
  async create({
    params: { id: projectId },
    principal,
    body,
  }: RequestOf<typeof createToken>): Promise<RevealedAccessToken> {
    const { name = 'Access token', purposes = TOKEN_PURPOSES } = body;
    const token = await this.tokens.create(
      projectId,
      { name, purposes, ...parseCredentialLimits(body) },
      principal.makerId,
    );
    if (token === 'full') {
      throw new ProblemError(
        'conflict',
        `The project already has ${MAX_ACCESS_TOKENS} active access tokens. Revoke one first.`,
      );
    }
    if (token === null) throw notFound('project');
    return token;
  }

  @Handle(revealToken)
  async reveal({ params: { id: projectId, tokenId } }: RequestOf<typeof revealToken>): Promise<RevealedAccessToken> {
    const token = await this.tokens.reveal(projectId, tokenId);
    if (token === null) throw notFound('token');
    return token;
  }

  @Handle(revokeToken)
  async revoke({ params: { id: projectId, tokenId } }: RequestOf<typeof revokeToken>): Promise<void> {
    const hash = await this.tokens.revoke(projectId, tokenId);
    if (hash === null) throw notFound('token');
    this.changes.announce(hash);
  }
}
