import { Inject, Injectable } from '@nestjs/common';
import { signedDirectory, webBotAuthSignature, type SignedDirectory } from '#libs/agents';
import { TEST_AGENT, testAgentOrigin } from '#libs/catalog';
import type { TestVisit } from '#libs/contracts';
import { CLOCK, type Clock } from '#libs/platform';
import { PUBLIC_URL } from '../public-url.js';
import { TestAgentRepository, type TestAgentKey } from './test-agent.repository.js';

/** Seconds for which a signed request can be used. */
const LIFETIME = 300;

/** The instance's own agent: signs requests, and shows the keys that they are checked with. */
@Injectable()
export class TestAgentService {
  /** It stays what it is, and everybody may ask for the directory. */
  private key: TestAgentKey | null = null;

  constructor(
    private readonly keys: TestAgentRepository,
    @Inject(PUBLIC_URL) private readonly publicUrl: string,
    @Inject(CLOCK) private readonly now: Clock,
  ) {}

  /** @param nonce tells the request from all others; made up unless given. */
  async signedVisit(url: URL, nonce?: string): Promise<TestVisit> {
    const key = await this.ownKey();
    const signatureAgent = testAgentOrigin(this.publicUrl);
    const method = 'GET';
    const signature = webBotAuthSignature({
      url: url.href,
      method,
      key: key.privateKey,
      signatureAgent,
      now: this.now(),
      lifetime: LIFETIME,
      ...(nonce !== undefined && { nonce }),
    });
    return {
      method,
      url: url.href,
      headers: { 'user-agent': TEST_AGENT.userAgent, ...signature },
      agent_token: TEST_AGENT.token,
      signature_agent: signatureAgent,
      key_id: key.id,
    };
  }

  /**
   * Returns the key directory, signed where the request asks `PUBLIC_URL` for it. The keys are public, and whoever
   * fetches them here over TLS needs no signature (draft-ietf-webbotauth-httpsig-protocol-01 appendix B); but a
   * signature for any host that a client names would let that host claim the keys.
   *
   * @param host the request's `Host`, as sent.
   */
  async directory(host: string): Promise<{ body: string; headers: Partial<SignedDirectory['headers']> }> {
    const { privateKey } = await this.ownKey();
    const { host: authority, protocol } = new URL(this.publicUrl);
    const { body, headers } = signedDirectory([privateKey], authority, privateKey, this.now());
    const port = protocol === 'https:' ? 443 : 80;
    if ([authority, `${authority}:${port}`].includes(host.toLowerCase())) return { body, headers };
    return { body, headers: { 'content-type': headers['content-type'], 'content-digest': headers['content-digest'] } };
  }

  private async ownKey(): Promise<TestAgentKey> {
    this.key ??= await this.keys.key();
    return this.key;
  }
}
