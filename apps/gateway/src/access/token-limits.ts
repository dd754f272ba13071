import { compileProxyRanges, parseAddress, type AddressRanges } from '#libs/agents';
import { ProblemError } from '#libs/platform';
import type { ProjectAccess } from './access.repository.js';

/** 401 for a token that exists but isn't accepted. Includes its project, so the rejection can be listed there. */
export class RefusedTokenError extends ProblemError {
  constructor(
    readonly access: ProjectAccess,
    detail: string,
  ) {
    super('unauthorized', detail, { headers: { 'www-authenticate': 'Bearer' } });
  }
}

export class TokenLimits {
  /** Compiled ranges, keyed by the array loaded from the database. */
  private readonly compiled = new WeakMap<readonly string[], AddressRanges>();

  /** @throws RefusedTokenError if the token has expired or the client's address isn't allowed. */
  check(access: ProjectAccess, client: { readonly clientAddress: string }): void {
    const { expiresAt, networks } = access;
    if (expiresAt !== null && expiresAt <= Date.now()) {
      const day = new Date(expiresAt).toISOString().slice(0, 10);
      throw new RefusedTokenError(access, `The access token expired on ${day}. Use another token of the project.`);
    }
    if (networks.length === 0) return;
    const address = client.clientAddress;
    if (this.isWithin(networks, address)) return;
    throw new RefusedTokenError(
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
