import type { Role } from '../../api/client.js';

export const ROLES: Record<Role, { name: string; may: string }> = {
  owner: { name: 'Owner', may: 'Full access: settings, tokens, members' },
  member: { name: 'Member', may: 'Can view, change settings and create tokens' },
  viewer: { name: 'Viewer', may: 'Can view, but not see tokens' },
};
