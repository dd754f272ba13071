import { TOKEN_PURPOSES } from '#libs/contracts';
import { DEFAULT_DRAINS, type ProjectAccess } from '../../apps/gateway/src/access/access.repository.js';

/** Returns the access that a token grants to a project with default settings. */
export const createProjectAccess = (overrides: Partial<ProjectAccess> = {}): ProjectAccess => ({
  tokenId: '019a8f52-7c11-7d3e-a2c4-5b8f0e6d1a94',
  projectId: '019a8f52-7c11-7d3e-a2c4-5b8f0e6d1a93',
  redactedHeaders: [],
  unredactedHeaders: [],
  site: { trustedProxies: { mode: 'none' }, hostNames: [] },
  drains: DEFAULT_DRAINS,
  revoked: false,
  expiresAt: null,
  networks: [],
  purposes: TOKEN_PURPOSES,
  ...overrides,
});
