import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, type Logger } from '#libs/platform';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { PUBLIC_URL } from './public-url.js';

/** Detects that people reach the instance by https although `PUBLIC_URL` is http: cookies lack `Secure` then, and links leave TLS. */
@Injectable()
export class PublicUrlTls {
  /** Whether a trusted proxy reported https while `PUBLIC_URL` is http. */
  isMissing = false;

  constructor(
    @Inject(PUBLIC_URL) private readonly publicUrl: string,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  watch(instance: FastifyInstance): void {
    if (!this.publicUrl.startsWith('http:')) return;
    instance.addHook('onRequest', async (request) => {
      if (this.isMissing || !isBehindTls(request)) return;
      this.isMissing = true;
      this.logger.warn(
        `PUBLIC_URL is ${this.publicUrl}, but visitors arrive by https. Set PUBLIC_URL to the https address, so that cookies are sent by https only and links lead there.`,
      );
    });
  }
}

/** Only what a trusted proxy sends counts: its word about the address is believed, too. */
function isBehindTls(request: FastifyRequest): boolean {
  const protocol = request.headers['x-forwarded-proto'];
  return protocol !== undefined && /^https\b/i.test(String(protocol)) && request.clientAddress !== request.ip;
}
