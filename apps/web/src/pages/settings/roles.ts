import type { Role } from '../../api/client.js';

export const ROLES: Record<Role, { name: string; may: string }> = {
  owner: { name: 'Owner', may: 'everything: settings, tokens, members' },
  member: { name: 'Member', may: 'reads, changes settings, sees and makes tokens' },
  viewer: { name: 'Viewer', may: 'reads; does not see tokens' },
};
