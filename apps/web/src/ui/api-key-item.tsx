import { Badge, Button, Group, Text } from '@mantine/core';
import type { ApiKey } from '../api/system-queries.js';
import { Confirm } from './confirm.js';
import { Expires } from './expires.js';
import { isActive } from './is-active.js';
import { LastUsed } from './last-used.js';
import { RelativeTime } from './relative-time.js';
import classes from './list.module.css';

interface ApiKeyItemProps {
  apiKey: ApiKey;
  /** Shows whose key it is, for lists of all users' keys. */
  isOfAnybody?: boolean;
  onRevoke: () => void;
}

export function ApiKeyItem({ apiKey, isOfAnybody = false, onRevoke }: ApiKeyItemProps) {
  const {
    name,
    acts_as: person,
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
            {scopesText(apiKey, isOfAnybody)}; {isOfAnybody && person !== null && `acts as ${person}; `}created{' '}
            {isOfAnybody && creator !== null && `by ${creator} `}
            <RelativeTime time={createdAt} />, <LastUsed time={usedAt} />
            <Expires time={expiresAt} />
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

/** Returns the scopes and projects of a key, such as "Read and write in 2 projects". */
function scopesText({ scopes, project_ids: projects, acts_as: person }: ApiKey, isOfAnybody: boolean): string {
  const names = new Intl.ListFormat('en').format(scopes);
  const everywhere = isOfAnybody ? 'all their projects' : 'all your projects';
  const all = person === null ? 'all projects' : everywhere;
  const where = projects === null ? all : `${projects.length} ${projects.length === 1 ? 'project' : 'projects'}`;
  return `${names.charAt(0).toUpperCase()}${names.slice(1)} in ${where}`;
}

interface RevokeApiKeyProps {
  apiKey: ApiKey;
  action: () => Promise<void>;
  onClose: () => void;
}

export const RevokeApiKey = ({ apiKey, action, onClose }: RevokeApiKeyProps) => (
  <Confirm title={`Revoke “${apiKey.name}”?`} label="Revoke" action={action} onClose={onClose}>
    Programs that use it are refused within 5 seconds. This can't be undone.
  </Confirm>
);
