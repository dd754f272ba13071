import { createHmac, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { Provider } from 'oidc-provider';
import { disposables } from './instance.js';

export const OIDC_CLIENT = { clientId: 'agent-traffic', clientSecret: randomBytes(16).toString('hex') };

type Claims = Record<string, unknown>;

/** OpenID provider on localhost where anyone can sign in with just a name. */
export class OpenIdProvider {
  /** Claims about each person, by name. */
  readonly claimsByName = new Map<string, Record<string, unknown>>();
  /** If set, handles all requests. */
  overrideHandler: RequestListener | null = null;
  /** If set, changes the responses of the token endpoint, as a hostile or broken provider would. */
  transformTokenResponse: ((answer: Claims) => Claims) | null = null;

  private constructor(
    readonly issuer: string,
    private readonly server: Server,
    private readonly key: KeyObject,
  ) {}

  /** @param callback The client's redirect URI. */
  static async start(callback: string): Promise<OpenIdProvider> {
    let listener: RequestListener = () => undefined;
    const server = createServer((request, response) => {
      if (provider.transformTokenResponse !== null && request.url === '/token')
        transformResponse(response, provider.transformTokenResponse);
      (provider.overrideHandler ?? listener)(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    const provider = new OpenIdProvider(`http://127.0.0.1:${port}`, server, privateKey);
    listener = new Provider(provider.issuer, {
      clients: [
        {
          client_id: OIDC_CLIENT.clientId,
          client_secret: OIDC_CLIENT.clientSecret,
          redirect_uris: [callback],
          response_types: ['code'],
          grant_types: ['authorization_code'],
        },
      ],
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'preferred_username'] },
      cookies: { keys: [randomBytes(16).toString('hex')] },
      jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig' }] },
      findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, ...provider.claimsByName.get(id) }) }),
    }).callback();
    disposables.add(provider);
    return provider;
  }

  /**
   * Signs in as a person in a browser and gives consent.
   *
   * @param url URL that starts the sign-in.
   * @returns the URL that the browser is redirected to
   */
  async signIn(url: string, name: string): Promise<string> {
    const cookies = new Map<string, string>();
    let next: { url: string; form?: URLSearchParams } = { url };
    for (let step = 0; step < 12; step += 1) {
      if (!next.url.startsWith(this.issuer)) return next.url;
      const response: Response = await fetch(next.url, {
        redirect: 'manual',
        headers: { cookie: [...cookies].map(([key, value]) => `${key}=${value}`).join('; ') },
        ...(next.form && { method: 'POST', body: next.form }),
      });
      for (const cookie of response.headers.getSetCookie()) {
        const [, key = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
        cookies.set(key, value);
      }
      const location = response.headers.get('location');
      if (location !== null) {
        next = { url: new URL(location, next.url).href };
        continue;
      }
      const page = await response.text();
      const action = /action="([^"]+)"/.exec(page)?.[1];
      const prompt = /name="prompt" value="([^"]+)"/.exec(page)?.[1];
      if (action === undefined || prompt === undefined) throw new Error(`No form found at ${next.url}:\n${page}`);
      next = {
        url: new URL(action, next.url).href,
        form: new URLSearchParams({ prompt, ...(prompt === 'login' && { login: name, password: 'any' }) }),
      };
    }
    throw new Error(`Too many redirects by the provider. Last URL: ${next.url}`);
  }

  /** Returns a copy of an ID token with changed claims. By default, it's signed with the provider's key. */
  forgeIdToken(idToken: unknown, changes: Claims, alg: 'RS256' | 'HS256' | 'none' = 'RS256', key = this.key): string {
    const encode = (value: Claims): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const claims = JSON.parse(Buffer.from(String(idToken).split('.')[1]!, 'base64url').toString());
    const text = `${encode({ alg, typ: 'JWT' })}.${encode({ ...claims, ...changes })}`;
    if (alg === 'none') return `${text}.`;
    const signature =
      alg === 'RS256'
        ? sign('sha256', Buffer.from(text), key)
        : createHmac('sha256', OIDC_CLIENT.clientSecret).update(text).digest();
    return `${text}.${signature.toString('base64url')}`;
  }

  async dispose(): Promise<void> {
    if (!disposables.delete(this)) return;
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

function transformResponse(response: ServerResponse, change: (answer: Claims) => Claims): void {
  const end = response.end.bind(response);
  response.end = ((body: string | Buffer) => {
    const changedBody = JSON.stringify(change(JSON.parse(String(body))));
    response.setHeader('content-length', Buffer.byteLength(changedBody));
    return end(changedBody);
  }) as typeof response.end;
}
