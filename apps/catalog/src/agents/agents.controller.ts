import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { AgentsApi, type AgentQuery, type AgentRecord } from '#libs/catalog';
import type { AgentImportResult, AgentListItem, AgentPage } from '#libs/contracts';

/** For the console: `HttpAgentsApi` is the other end. */
@Controller('internal/agents')
export class AgentsController {
  constructor(private readonly agents: AgentsApi) {}

  @Post('query')
  @HttpCode(200)
  @RouteConfig({ access: 'internal' })
  async list(@Body() query: AgentQuery): Promise<AgentPage> {
    return this.agents.list(query);
  }

  @Get('export/:origin')
  @RouteConfig({ access: 'internal' })
  async export(@Param('origin') origin: 'own' | 'all'): Promise<AgentRecord[]> {
    return this.agents.export(origin);
  }

  @Post('import')
  @HttpCode(200)
  @RouteConfig({ access: 'internal' })
  async import(@Body() records: unknown): Promise<AgentImportResult> {
    return this.agents.import(records);
  }

  @Post()
  @RouteConfig({ access: 'internal' })
  async add(@Body() record: unknown): Promise<AgentListItem> {
    return this.agents.add(record);
  }

  @Get(':key')
  @RouteConfig({ access: 'internal' })
  async find(@Param('key') key: string): Promise<AgentListItem> {
    return this.agents.find(key);
  }

  @Put(':key')
  @RouteConfig({ access: 'internal' })
  async replace(@Param('key') key: string, @Body() record: unknown): Promise<AgentListItem> {
    return this.agents.replace(key, record);
  }

  @Delete(':key')
  @HttpCode(204)
  @RouteConfig({ access: 'internal' })
  async remove(@Param('key') key: string): Promise<void> {
    await this.agents.remove(key);
  }
}
