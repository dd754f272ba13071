import { Controller } from '@nestjs/common';
import {
  API_KEY_SCOPES,
  createApiKey,
  createOwnApiKey,
  listApiKeys,
  listOwnApiKeys,
  MAX_API_KEYS,
  MAX_PERSONAL_API_KEYS,
  revokeApiKey,
  revokeOwnApiKey,
  type ApiKey,
  type NewApiKey,
  type RevealedApiKey,
} from '#libs/contracts';
import { Handle, notFound, ProblemError, type RequestOf } from '#libs/platform';
import { AccessChanges } from './access-changes.service.js';
import { parseCredentialLimits } from './credential-limits.js';
import { ApiKeysRepository, type ApiKeySettings } from './api-keys.repository.js';
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
    const settings = toKeySettings(body);
    requireGrantable(principal, settings.scopes);
    const key = await this.keys.create(settings, principal.makerId);
    if (key !== null) return key;
    throw new ProblemError('conflict', `The instance already has ${MAX_API_KEYS} active API keys. Revoke one first.`);
  }

  @Handle(revokeApiKey)
  async revoke({ params: { id } }: RequestOf<typeof revokeApiKey>): Promise<void> {
    const outcome = await this.keys.revoke(id);
    if (outcome === 'unknown') throw notFound('API key');
    if (outcome === 'last') {
      throw new ProblemError('conflict', 'This is the last admin key. Create another admin key before you revoke it.');
    }
    this.changes.announce();
  }

  @Handle(listOwnApiKeys)
  async listOwn({ principal }: RequestOf<typeof listOwnApiKeys>): Promise<{ api_keys: ApiKey[] }> {
    return { api_keys: await this.keys.list(principal.user!.id) };
  }

  @Handle(createOwnApiKey)
  async createOwn({ principal, body }: RequestOf<typeof createOwnApiKey>): Promise<RevealedApiKey> {
    const key = await this.keys.createOwn(toKeySettings(body), principal.user!);
    if (key !== null) return key;
    throw new ProblemError(
      'conflict',
      `You already have ${MAX_PERSONAL_API_KEYS} active API keys. Revoke one that you no longer use.`,
    );
  }

  @Handle(revokeOwnApiKey)
  async revokeOwn({ principal, params: { keyId } }: RequestOf<typeof revokeOwnApiKey>): Promise<void> {
    if (!(await this.keys.revokeOwn(keyId, principal.user!.id))) throw notFound('API key');
    this.changes.announce();
  }
}

/**
 * Applies the defaults for a new key.
 *
 * @throws {ProblemError} 422 if the expiry is in the past.
 */
function toKeySettings(body: NewApiKey): ApiKeySettings {
  const { name = 'API key', scopes = API_KEY_SCOPES, project_ids: projectIds = null } = body;
  return {
    name,
    scopes,
    projectIds: projectIds && [...new Set(projectIds)],
    expiresAt: parseCredentialLimits(body).expiresAt,
  };
}
