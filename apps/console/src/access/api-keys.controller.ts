import { Body, Controller, Delete, Get, HttpCode, Param, Post, Req } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { NewApiKeySchema, validator, type ApiKey, type RevealedApiKey } from '#libs/contracts';
import { ProblemError } from '#libs/platform';
import type { FastifyRequest } from 'fastify';
import { checked } from '../checked.js';
import { AccessChanges } from './access-changes.service.js';
import { ApiKeysRepository } from './api-keys.repository.js';
import { notFound, requireAdmin, requireId } from './principal.js';

const newApiKey = validator(NewApiKeySchema);

@Controller('api/api-keys')
export class ApiKeysController {
  constructor(
    private readonly keys: ApiKeysRepository,
    private readonly changes: AccessChanges,
  ) {}

  @Get()
  @RouteConfig({ access: 'console' })
  async list(@Req() { principal }: FastifyRequest): Promise<{ api_keys: ApiKey[] }> {
    requireAdmin(principal);
    return { api_keys: await this.keys.list() };
  }

  @Post()
  @RouteConfig({ access: 'console' })
  async create(@Req() { principal }: FastifyRequest, @Body() body: unknown): Promise<RevealedApiKey> {
    requireAdmin(principal);
    const { name = 'API key', project_ids: projectIds = null } = checked(newApiKey, body);
    const key = await this.keys.create(name, projectIds, principal.makerId);
    if (key !== null) return key;
    throw new ProblemError('invalid-body', 'A project of the key does not exist.', {
      errors: [{ pointer: '/project_ids', detail: 'must be ids of existing projects' }],
    });
  }

  @Delete(':id')
  @HttpCode(204)
  @RouteConfig({ access: 'console' })
  async revoke(@Req() { principal }: FastifyRequest, @Param('id') id: string): Promise<void> {
    requireAdmin(principal);
    const outcome = await this.keys.revoke(requireId(id, 'API key'));
    if (outcome === 'unknown') throw notFound('API key');
    if (outcome === 'last') {
      throw new ProblemError('conflict', 'This is the last admin key. Create another one before you revoke it.');
    }
    this.changes.announce();
  }
}
