import { Controller } from '@nestjs/common';
import {
  API_KEY_SCOPES,
  createApiKey,
  createOwnApiKey,
  listApiKeys,
  listOwnApiKeys,
  MAX_API_KEYS,
  MAX_OWN_API_KEYS,
  revokeApiKey,
  revokeOwnApiKey,
  type ApiKey,
  type NewApiKey,
  type RevealedApiKey,
} from '#libs/contracts';
import { Handle, notFound, ProblemError, type RequestOf } from '#libs/platform';
import { AccessChanges } from './access-changes.service.js';
import { checkedLimits } from './credential-limits.js';
import { ApiKeysRepository, type WantedKey } from './api-keys.repository.js';
import { requireGrantable } from './principal.js';

@Controller()
export class ApiKeysController {
  constructor(
    private readonly keys: ApiKeysRepository,
    private readonly changes: AccessChanges,
  ) {}

  @Handle(listApiKeys)
  async list(): Promise<{ api_keys: ApiKey[] }> {
    return { api_keys: await this.keys.list() };
  }

  @Handle(createApiKey)
  async create({ principal, body }: RequestOf<typeof createApiKey>): Promise<RevealedApiKey> {
    const wanted = wantedKey(body);
    requireGrantable(principal, wanted.scopes);
    const key = await this.keys.create(wanted, principal.makerId);
    if (key !== null) return key;
    throw new ProblemError('conflict', `The instance has ${MAX_API_KEYS} API keys that work. Revoke one first.`);
  }

  @Handle(revokeApiKey)
  async revoke({ params: { id } }: RequestOf<typeof revokeApiKey>): Promise<void> {
    const outcome = await this.keys.revoke(id);
    if (outcome === 'unknown') throw notFound('API key');
    if (outcome === 'last') {
      throw new ProblemError('conflict', 'This is the last admin key. Create another one before you revoke it.');
    }
    this.changes.announce();
  }

  @Handle(listOwnApiKeys)
  async listOwn({ principal }: RequestOf<typeof listOwnApiKeys>): Promise<{ api_keys: ApiKey[] }> {
    return { api_keys: await this.keys.list(principal.user!.id) };
  }

  @Handle(createOwnApiKey)
  async createOwn({ principal, body }: RequestOf<typeof createOwnApiKey>): Promise<RevealedApiKey> {
    const key = await this.keys.createOwn(wantedKey(body), principal.user!);
    if (key !== null) return key;
    throw new ProblemError(
      'conflict',
      `You have ${MAX_OWN_API_KEYS} API keys that work. Revoke one that you no longer use.`,
    );
  }

  @Handle(revokeOwnApiKey)
  async revokeOwn({ principal, params: { keyId } }: RequestOf<typeof revokeOwnApiKey>): Promise<void> {
    if (!(await this.keys.revokeOwn(keyId, principal.user!.id))) throw notFound('API key');
    this.changes.announce();
  }
}

/** @throws ProblemError 422 if the expiry is in the past. */
function wantedKey(body: NewApiKey): WantedKey {
  const { name = 'API key', scopes = API_KEY_SCOPES, project_ids: projectIds = null } = body;
  return { name, scopes, projectIds: projectIds && [...new Set(projectIds)], expiresAt: checkedLimits(body).expiresAt };
}
