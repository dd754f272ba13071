import { Body, Controller, HttpCode, Post, Req } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { IdentificationApi } from '#libs/catalog';
import type { PublicIdentification } from '#libs/contracts';
import type { FastifyRequest } from 'fastify';
import { identificationItems, verificationRequest } from './identification.validation.js';

type Identified = PublicIdentification & { id?: string };

/** Who sent a request, and whether that is proven. Catalog answers; here is who may ask, and what for. */
@Controller()
export class IdentificationController {
  constructor(private readonly identifications: IdentificationApi) {}

  /** The answer has the form of the request: one result, or an array of them in its order. */
  @Post('agent-identifications')
  @HttpCode(200)
  @RouteConfig({ access: 'project' })
  async identify(@Req() { project }: FastifyRequest, @Body() body: unknown): Promise<Identified | Identified[]> {
    const requests = identificationItems(body);
    const items = requests.map(({ request_headers: headers, client_address: peer }) => ({
      headers,
      method: null,
      path: null,
      peer,
    }));
    const results = items.length === 0 ? [] : await this.identifications.identify(items, project.site);
    const identified = results.map((result, index) => {
      const id = requests[index]!.id ?? null;
      return id === null ? result : { id, ...result };
    });
    return Array.isArray(body) ? identified : identified[0]!;
  }

  @Post('agent-verifications')
  @HttpCode(200)
  @RouteConfig({ access: 'project' })
  async verify(@Req() { project }: FastifyRequest, @Body() body: unknown): Promise<PublicIdentification> {
    const { request_headers: headers, request_path: path, client_address: peer } = verificationRequest(body);
    const [result] = await this.identifications.identify([{ headers, method: null, path, peer }], project.site);
    return result!;
  }
}
