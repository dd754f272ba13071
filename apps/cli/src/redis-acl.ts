import { hash } from 'node:crypto';
import { ACCESS_CHANNEL, accessKey, CATALOG_CHANNEL, CATALOG_KEYS, proofKey, visitsChannel } from '#libs/contracts';

interface Permissions {
  commands: readonly string[];
  /** Key patterns. The prefix defines the access: `~` for full, `%R~` for read-only, `%W~` for write-only. */
  keys: readonly string[];
  channels: readonly string[];
}

/** Commands for connection setup and health checks. */
const COMMON_COMMANDS = ['ping', 'info'];
const SUBSCRIBE = ['subscribe', 'unsubscribe'];
/** The rate-limit script and the commands that it calls. */
const RATE_LIMIT = ['eval', 'time', 'hmget', 'hset', 'pexpire'];
/** The script for windows also calls these. */
const WINDOWS = ['incr', 'pttl'];
const KEY_VALUE = ['get', 'set', 'del'];
/** Shared caches for key directories and DNS lookups. */
const EVIDENCE = ['~directory:*', '~directory-turn:*', '~dns:*'];
/** Markers of the visits that the console sends to prove a policy. */
const PROOFS = proofKey('*', '*');
const CATALOG = Object.values(CATALOG_KEYS);

const USERS: Record<string, Permissions> = {
  gateway: {
    commands: ['get', 'set', ...RATE_LIMIT, ...WINDOWS, ...SUBSCRIBE],
    keys: [`~${accessKey('*')}`, '~rate:visits:*', '~window:*', ...CATALOG.map((key) => `%R~${key}`)],
    channels: [ACCESS_CHANNEL, CATALOG_CHANNEL],
  },
  console: {
    commands: ['set', 'del', 'publish', ...RATE_LIMIT, ...SUBSCRIBE],
    keys: [`%W~${accessKey('*')}`, `%W~${PROOFS}`, '~rate:*'],
    channels: [ACCESS_CHANNEL, visitsChannel('*')],
  },
  enrichment: {
    commands: [...KEY_VALUE, ...SUBSCRIBE],
    keys: [...EVIDENCE, `%R~${PROOFS}`, ...CATALOG.map((key) => `%R~${key}`)],
    channels: [ACCESS_CHANNEL, CATALOG_CHANNEL],
  },
  ingest: {
    commands: [...KEY_VALUE, 'publish', ...SUBSCRIBE],
    keys: [...EVIDENCE, ...CATALOG.map((key) => `%R~${key}`)],
    channels: [CATALOG_CHANNEL, visitsChannel('*')],
  },
  catalog: {
    commands: [...KEY_VALUE, 'publish'],
    keys: [...EVIDENCE, ...CATALOG.map((key) => `~${key}`)],
    channels: [CATALOG_CHANNEL],
  },
  rules: {
    commands: ['get', ...SUBSCRIBE],
    keys: CATALOG.map((key) => `%R~${key}`),
    channels: [CATALOG_CHANNEL],
  },
};

/**
 * Renders the Redis ACL file. Services get only the permissions that they need, `health` can only ping, and anonymous
 * clients have no permissions. Passwords are hashed.
 *
 * https://redis.io/docs/latest/operate/oss_and_stack/management/security/acl/
 *
 * @param passwords Passwords by service.
 */
export function renderRedisAcl(passwords: ReadonlyMap<string, string>): string {
  const lines = ['user default reset', 'user health reset on nopass +ping'];
  for (const [name, { commands, keys, channels }] of Object.entries(USERS)) {
    const password = passwords.get(name);
    if (password === undefined) throw new Error(`The service ${name} has no Redis password`);
    const rules = [
      `#${hash('sha256', password)}`,
      ...keys,
      ...channels.map((channel) => `&${channel}`),
      ...[...COMMON_COMMANDS, ...commands].map((command) => `+${command}`),
    ];
    lines.push(`user ${name} reset on ${rules.join(' ')}`);
  }
  return `${lines.join('\n')}\n`;
}
