import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { notFound } from '../access/principal.js';

@Injectable()
export class OidcService {
  /** What the sign-in page shows. */
  get shown(): { name: string } | null {
    return null;
  }

  async start(_request: FastifyRequest, _reply: FastifyReply): Promise<void> {
    throw notFound('OpenID provider');
  }

  async finish(_request: FastifyRequest, _reply: FastifyReply): Promise<void> {
    throw notFound('OpenID provider');
  }
}
