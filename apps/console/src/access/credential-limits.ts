import { formatCidr, parseCidr } from '#libs/agents';
import { parseTimestamp, type Fault } from '#libs/contracts';
import { ProblemError } from '#libs/platform';

interface CredentialLimitsInput {
  expires_at?: string | null;
  allowed_networks?: string[];
}

export interface CredentialLimits {
  expiresAt: Date | null;
  /** Allowed networks, as canonical CIDR blocks. */
  networks: string[];
}

/**
 * Validates the expiry and the allowed networks of a credential.
 *
 * @throws {ProblemError} 422 if the expiry is in the past or a network is invalid.
 */
export function parseCredentialLimits({
  expires_at: expiry = null,
  allowed_networks: requestedNetworks = [],
}: CredentialLimitsInput): CredentialLimits {
  const errors: Fault[] = [];
  // `Date` accepts fewer formats than the schema, and parses times without an offset as local time.
  const expiresAt = expiry === null ? null : new Date(parseTimestamp(expiry)!);
  if (expiresAt !== null && expiresAt.getTime() <= Date.now()) {
    errors.push({ pointer: '/expires_at', detail: 'must be in the future' });
  }
  const networks = requestedNetworks.flatMap((text, index) => {
    const block = parseCidr(text);
    if (block !== null) return [formatCidr(block)];
    errors.push({
      pointer: `/allowed_networks/${index}`,
      detail: `must be an IP address or a network such as 192.0.2.0/24 (got "${text}")`,
    });
    return [];
  });
  if (errors.length === 0) return { expiresAt, networks };
  const detail = errors.map(({ pointer, detail: fault }) => `${pointer.slice(1)} ${fault}`).join('; ');
  throw new ProblemError('invalid-body', `The credential limits are invalid: ${detail}.`, { errors });
}
