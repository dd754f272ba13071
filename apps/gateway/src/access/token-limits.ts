import { compileProxyRanges, parseAddress, type AddressRanges } from '#libs/agents';
import { ProblemError } from '#libs/platform';
import type { ProjectAccess } from './access.repository.js';

/**
 * 401 error for a token that exists but isn't accepted. Contains the project, so that its settings can list the
 * rejection.
 */
export class RejectedTokenError extends ProblemError {
  constructor(
    readonly access: ProjectAccess,
    detail: string,
  ) {
    super('unauthorized', detail, { headers: { 'www-authenticate': 'Bearer' } });
  }
}

export class TokenLimits {
  /** Compiled address ranges, keyed by the CIDR list that was loaded from the database. */
  private readonly compiled = new WeakMap<readonly string[], AddressRanges>();

  /** @throws {RejectedTokenError} if the token has expired or can't be used from the client's address. */
  check(access: ProjectAccess, client: { readonly clientAddress: string }): void {
    const { expiresAt, networks } = access;
    if (expiresAt !== null && expiresAt <= Date.now()) {
      const day = new Date(expiresAt).toISOString().slice(0, 10);
      throw new RejectedTokenError(access, `The access token expired on ${day}. Use another token of the project.`);
    }
    if (networks.length === 0) return;
    const address = client.clientAddress;
    if (this.isWithin(networks, address)) return;
    throw new RejectedTokenError(
      access,
      `The access token may not be used from ${address}. Use it from a network that it allows, or use another token.`,
    );
  }

  private isWithin(networks: readonly string[], text: string): boolean {
    let ranges = this.compiled.get(networks);
    if (ranges === undefined) this.compiled.set(networks, (ranges = compileProxyRanges(networks)));
    const address = parseAddress(text);
    return address !== null && ranges.contains(address);
  }
}
