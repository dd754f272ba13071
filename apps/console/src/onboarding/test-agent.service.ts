import { Inject, Injectable } from '@nestjs/common';
import { createSignedDirectory, signWebBotAuthRequest, type SignedDirectory } from '#libs/agents';
import { TEST_AGENT, getTestAgentOrigin } from '#libs/catalog';
import type { TestVisit } from '#libs/contracts';
import { CLOCK, type Clock } from '#libs/platform';
import { PUBLIC_URL } from '../public-url.js';
import { TestAgentRepository, type TestAgentKey } from './test-agent.repository.js';

const SIGNATURE_LIFETIME_SECONDS = 300;

/** Signs requests as the test agent, and publishes the keys that verify them. */
@Injectable()
export class TestAgentService {
  /** Cached, because it never changes, and every request to the public key directory needs it. */
  private cachedKey: TestAgentKey | null = null;

  constructor(
    private readonly keys: TestAgentRepository,
    @Inject(PUBLIC_URL) private readonly publicUrl: string,
    @Inject(CLOCK) private readonly now: Clock,
  ) {}

  /**
   * Returns a signed request for a URL.
   *
   * @param nonce Must be unique per request. Default: a random nonce.
   */
  async signVisit(url: URL, nonce?: string): Promise<TestVisit> {
    const key = await this.getKey();
    const signatureAgent = getTestAgentOrigin(this.publicUrl);
    const method = 'GET';
    const signature = signWebBotAuthRequest({
      url: url.href,
      method,
      key: key.privateKey,
      signatureAgent,
      now: this.now(),
      lifetimeSeconds: SIGNATURE_LIFETIME_SECONDS,
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
   * Returns the key directory, with a signature if it's requested from the host of `PUBLIC_URL`.
   *
   * Clients that fetch the public keys from here over TLS don't need the signature
   * (draft-ietf-webbotauth-httpsig-protocol-01, appendix B). A signature for an arbitrary `Host` header would let that
   * host claim the keys.
   *
   * @param host Unmodified `Host` header.
   */
  async createDirectory(host: string): Promise<{ body: string; headers: Partial<SignedDirectory['headers']> }> {
    const { privateKey } = await this.getKey();
    const { host: authority, protocol } = new URL(this.publicUrl);
    const { body, headers } = createSignedDirectory([privateKey], authority, privateKey, this.now());
    const port = protocol === 'https:' ? 443 : 80;
    if ([authority, `${authority}:${port}`].includes(host.toLowerCase())) return { body, headers };
    return { body, headers: { 'content-type': headers['content-type'], 'content-digest': headers['content-digest'] } };
  }

  private async getKey(): Promise<TestAgentKey> {
    this.cachedKey ??= await this.keys.getNewestKey();
    return this.cachedKey;
  }
}
