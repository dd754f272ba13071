import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query, Req } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { AgentsApi, type AgentRecord } from '#libs/catalog';
import type { AgentImportResult, AgentListItem, AgentPage } from '#libs/contracts';
import type { FastifyRequest } from 'fastify';
import { requireAdmin } from '../access/principal.js';
import { agentQuery, exportedOrigin, type Parameters } from './agent-query.js';

/** The list of agents, for everybody to read and for administrators to change. */
@Controller('api/agents')
export class AgentsController {
  constructor(private readonly agents: AgentsApi) {}

  @Get()
  @RouteConfig({ access: 'console' })
  async list(@Query() parameters: Parameters): Promise<AgentPage> {
    return this.agents.list(agentQuery(parameters));
  }

  @Post()
  @RouteConfig({ access: 'console' })
  async add(@Req() { principal }: FastifyRequest, @Body() record: unknown): Promise<AgentListItem> {
    requireAdmin(principal);
    return this.agents.add(record);
  }

  @Get('export')
  @RouteConfig({ access: 'console' })
  async export(@Query() parameters: Parameters): Promise<AgentRecord[]> {
    return this.agents.export(exportedOrigin(parameters));
  }

  @Post('import')
  @HttpCode(200)
  @RouteConfig({ access: 'console' })
  async import(@Req() { principal }: FastifyRequest, @Body() records: unknown): Promise<AgentImportResult> {
    requireAdmin(principal);
    return this.agents.import(records);
  }

  @Get(':agent')
  @RouteConfig({ access: 'console' })
  async find(@Param('agent') key: string): Promise<AgentListItem> {
    return this.agents.find(key);
  }

  @Put(':agent')
  @RouteConfig({ access: 'console' })
  async change(
    @Req() { principal }: FastifyRequest,
    @Param('agent') key: string,
    @Body() record: unknown,
  ): Promise<AgentListItem> {
    requireAdmin(principal);
    return this.agents.replace(key, record);
  }

  @Delete(':agent')
  @HttpCode(204)
  @RouteConfig({ access: 'console' })
  async remove(@Req() { principal }: FastifyRequest, @Param('agent') key: string): Promise<void> {
    requireAdmin(principal);
    await this.agents.remove(key);
  }
}
