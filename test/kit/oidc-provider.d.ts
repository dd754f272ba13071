/** As much of it as the tests use: the package has no types of its own. */
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http';

  export interface Account {
    accountId: string;
    claims(): Record<string, unknown>;
  }

  export class Provider {
    constructor(
      issuer: string,
      configuration: {
        clients: Record<string, unknown>[];
        claims?: Record<string, string[]>;
        features?: Record<string, { enabled: boolean }>;
        cookies?: { keys: string[] };
        jwks?: { keys: object[] };
        findAccount(context: unknown, id: string): Account | undefined;
      },
    );
    callback(): RequestListener;
  }
}
