import { cidr, parseCidr } from '#libs/agents';
import { parseTimestamp, type Fault } from '#libs/contracts';
import { ProblemError } from '#libs/platform';

interface WantedLimits {
  expires_at?: string | null;
  allowed_networks?: string[];
}

export interface CredentialLimits {
  expiresAt: Date | null;
  /** Canonical CIDR blocks. */
  networks: string[];
}

/** Validates limits. @throws ProblemError 422 if the expiry is in the past or a network is invalid. */
export function checkedLimits({
  expires_at: end = null,
  allowed_networks: wanted = [],
}: WantedLimits): CredentialLimits {
  const errors: Fault[] = [];
  // `Date` accepts fewer formats than the schema and reads times without an offset as local time.
  const expiresAt = end === null ? null : new Date(parseTimestamp(end)!);
  if (expiresAt !== null && expiresAt.getTime() <= Date.now()) {
    errors.push({ pointer: '/expires_at', detail: 'must be in the future' });
  }
  const networks = wanted.flatMap((text, index) => {
    const block = parseCidr(text);
    if (block !== null) return [cidr(block)];
    errors.push({
      pointer: `/allowed_networks/${index}`,
      detail: `must be an address or a network such as 192.0.2.0/24 (got "${text}")`,
    });
    return [];
  });
  if (errors.length === 0) return { expiresAt, networks };
  const detail = errors.map(({ pointer, detail: fault }) => `${pointer.slice(1)} ${fault}`).join('; ');
  throw new ProblemError('invalid-body', `The limits are not valid: ${detail}.`, { errors });
}
