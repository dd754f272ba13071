import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import { Provider } from 'oidc-provider';
import { leftOvers } from './instance.js';

export const CLIENT = { clientId: 'agent-traffic', clientSecret: randomBytes(16).toString('hex') };

/** A real OpenID provider on loopback, where everybody signs in by name. */
export class OpenIdProvider {
  /** What it says of people, by name. */
  readonly people = new Map<string, Record<string, unknown>>();
  /** While set, nothing answers but this. */
  instead: RequestListener | null = null;

  private constructor(
    readonly issuer: string,
    private readonly server: Server,
  ) {}

  /** @param callback where browsers are sent back to. */
  static async start(callback: string): Promise<OpenIdProvider> {
    let listener: RequestListener = () => undefined;
    const server = createServer((request, response) => (provider.instead ?? listener)(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const provider = new OpenIdProvider(`http://127.0.0.1:${port}`, server);
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    listener = new Provider(provider.issuer, {
      clients: [
        {
          client_id: CLIENT.clientId,
          client_secret: CLIENT.clientSecret,
          redirect_uris: [callback],
          response_types: ['code'],
          grant_types: ['authorization_code'],
        },
      ],
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'preferred_username'] },
      cookies: { keys: [randomBytes(16).toString('hex')] },
      jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig' }] },
      findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, ...provider.people.get(id) }) }),
    }).callback();
    leftOvers.add(provider);
    return provider;
  }

  /**
   * Signs in as somebody in a browser, and agrees.
   *
   * @param url of the sign-in. @returns where the browser is sent back to.
   */
  async visit(url: string, name: string): Promise<string> {
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
      if (action === undefined || prompt === undefined) throw new Error(`no form at ${next.url}:\n${page}`);
      next = {
        url: new URL(action, next.url).href,
        form: new URLSearchParams({ prompt, ...(prompt === 'login' && { login: name, password: 'any' }) }),
      };
    }
    throw new Error(`the provider leads nowhere: ${next.url}`);
  }

  async dispose(): Promise<void> {
    if (!leftOvers.delete(this)) return;
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
