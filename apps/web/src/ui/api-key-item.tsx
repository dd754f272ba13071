import { Badge, Button, Group, Text } from '@mantine/core';
import type { ApiKey } from '../api/system-queries.js';
import { Confirm } from './confirm.js';
import { ExpiryText } from './expires.js';
import { isActive } from './is-active.js';
import { LastUsed } from './last-used.js';
import { RelativeTime } from './relative-time.js';
import classes from './list.module.css';

interface ApiKeyItemProps {
  apiKey: ApiKey;
  /** Shows the key's owner. Used in lists that contain the keys of all users. */
  isOfAnybody?: boolean;
  onRevoke: () => void;
}

export function ApiKeyItem({ apiKey, isOfAnybody = false, onRevoke }: ApiKeyItemProps) {
  const {
    name,
    acts_as: ownerName,
    created_at: createdAt,
    created_by: creator,
    last_used_at: usedAt,
    revoked_at: revokedAt,
    expires_at: expiresAt,
  } = apiKey;
  return (
    <li className={classes['item']}>
      <Group justify="space-between" gap="xs">
        <div>
          <Text fw={500} {...(!isActive(apiKey) && { c: 'dimmed' })}>
            {name}
          </Text>
          <Text size="xs" c="dimmed">
            {scopesText(apiKey, isOfAnybody)}; {isOfAnybody && ownerName !== null && `acts as ${ownerName}; `}created{' '}
            {isOfAnybody && creator !== null && `by ${creator} `}
            <RelativeTime time={createdAt} />, <LastUsed time={usedAt} />
            <ExpiryText time={expiresAt} />
          </Text>
        </div>
        {revokedAt === null ? (
          <Button size="compact-sm" variant="default" c="var(--failed)" onClick={onRevoke}>
            Revoke<span className="unseen"> {name}</span>
          </Button>
        ) : (
          <Badge variant="outline" color="gray" c="dimmed" tt="none">
            revoked <RelativeTime time={revokedAt} />
          </Badge>
        )}
      </Group>
    </li>
  );
}

/** Returns a key's scopes and projects, such as "Read and write in 2 projects". */
function scopesText({ scopes, project_ids: projects, acts_as: ownerName }: ApiKey, isOfAnybody: boolean): string {
  const names = new Intl.ListFormat('en').format(scopes);
  const allOwnProjects = isOfAnybody ? 'all their projects' : 'all your projects';
  const allProjects = ownerName === null ? 'all projects' : allOwnProjects;
  const projectsPhrase =
    projects === null ? allProjects : `${projects.length} ${projects.length === 1 ? 'project' : 'projects'}`;
  return `${names.charAt(0).toUpperCase()}${names.slice(1)} in ${projectsPhrase}`;
}

interface RevokeApiKeyProps {
  apiKey: ApiKey;
  action: () => Promise<void>;
  onClose: () => void;
}

export const RevokeApiKey = ({ apiKey, action, onClose }: RevokeApiKeyProps) => (
  <Confirm title={`Revoke “${apiKey.name}”?`} label="Revoke key" action={action} onClose={onClose}>
    Requests with this key are rejected within 5 seconds. This can't be undone.
  </Confirm>
);
