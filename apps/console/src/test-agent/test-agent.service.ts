import { Inject, Injectable } from '@nestjs/common';
import { signedDirectory, webBotAuthSignature, type SignedDirectory } from '#libs/agents';
import { TEST_AGENT, testAgentOrigin } from '#libs/catalogue';
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
    @Inject(TestAgentRepository) private readonly keys: TestAgentRepository,
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

  /** @param authority host and port under which the directory is asked for. */
  async directory(authority: string): Promise<SignedDirectory> {
    const key = await this.ownKey();
    return signedDirectory([key.privateKey], authority, key.privateKey, this.now());
  }

  private async ownKey(): Promise<TestAgentKey> {
    this.key ??= await this.keys.key();
    return this.key;
  }
}
