/** Declares the parts of the package that the tests use, because the package doesn't include types. */
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
