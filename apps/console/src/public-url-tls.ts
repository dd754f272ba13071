import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, type Logger } from '#libs/platform';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { PUBLIC_URL } from './public-url.js';

/**
 * Detects that people use HTTPS although `PUBLIC_URL` is HTTP. Cookies then lack `Secure`, and links lead to plain
 * HTTP.
 */
@Injectable()
export class PublicUrlTls {
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

/** Returns whether a trusted proxy reports HTTPS. If the client address comes from a header, the proxy is trusted. */
function isBehindTls(request: FastifyRequest): boolean {
  const protocol = request.headers['x-forwarded-proto'];
  return protocol !== undefined && /^https\b/i.test(String(protocol)) && request.clientAddress !== request.ip;
}
