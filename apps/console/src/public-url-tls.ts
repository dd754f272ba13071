import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, type Logger } from '#libs/platform';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { PUBLIC_URL } from './public-url.js';

/**
 * Detects whether people use HTTPS although `PUBLIC_URL` is an HTTP URL. In that case, cookies lack `Secure` and links
 * lead to plain HTTP.
 */
@Injectable()
export class PublicUrlTls {
  isPublicUrlInsecure = false;

  constructor(
    @Inject(PUBLIC_URL) private readonly publicUrl: string,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  watch(instance: FastifyInstance): void {
    if (!this.publicUrl.startsWith('http:')) return;
    instance.addHook('onRequest', async (request) => {
      if (this.isPublicUrlInsecure || !isBehindTls(request)) return;
      this.isPublicUrlInsecure = true;
      this.logger.warn(
        `PUBLIC_URL is ${this.publicUrl}, but people use HTTPS. Set PUBLIC_URL to the https:// address, so cookies are sent only over HTTPS and links use it.`,
      );
    });
  }
}

/** Returns whether a trusted proxy reports HTTPS. A proxy is trusted if the client address comes from a header. */
function isBehindTls(request: FastifyRequest): boolean {
  const protocol = request.headers['x-forwarded-proto'];
  return protocol !== undefined && /^https\b/i.test(String(protocol)) && request.clientAddress !== request.ip;
}
