import { Body, Controller, Get, HttpCode, Param, Post, Query, Req } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { Bus, BusUnavailableError } from '#libs/bus';
import {
  cursorCodec,
  DeadLetterReplaySchema,
  validator,
  type DeadLetter,
  type DeadLetterWithBody,
} from '#libs/contracts';
import { unavailable } from '#libs/platform';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { notFound, requireId, requireProject } from '../access/principal.js';
import { checked } from '../checked.js';
import { ParameterReader, type Parameters } from '../parameters.js';
import { DeadLettersRepository } from './dead-letters.repository.js';

const replay = validator(DeadLetterReplaySchema);
const cursors = cursorCodec({
  failedAt: Type.String({ format: 'date-time' }),
  id: Type.String({ format: 'uuid' }),
});

@Controller('api/dead-letters')
export class DeadLettersController {
  constructor(
    private readonly deadLetters: DeadLettersRepository,
    private readonly bus: Bus,
  ) {}

  @Get()
  @RouteConfig({ access: 'console' })
  async list(
    @Req() { principal }: FastifyRequest,
    @Query() parameters: Parameters,
  ): Promise<{ dead_letters: DeadLetter[]; next_cursor: string | null }> {
    const reader = new ParameterReader(parameters);
    const project = reader.values('project')?.at(-1) ?? null;
    const limit = reader.limit();
    const after = reader.cursor((text) => cursors.read(text));
    reader.finish();
    const projectId = project === null ? null : requireProject(principal, project);
    const letters = await this.deadLetters.list(principal, { projectId, after, limit: limit + 1 });
    const page = letters.slice(0, limit);
    const last = page.at(-1);
    const isLast = letters.length <= limit || last === undefined;
    return {
      dead_letters: page,
      next_cursor: isLast ? null : cursors.write({ failedAt: last.failed_at, id: last.id }),
    };
  }

  @Get(':id')
  @RouteConfig({ access: 'console' })
  async find(@Req() { principal }: FastifyRequest, @Param('id') id: string): Promise<DeadLetterWithBody> {
    const [letter] = await this.deadLetters.find(principal, [requireId(id, 'dead letter')]);
    if (letter === undefined) throw notFound('dead letter');
    const { value, ...rest } = letter;
    return { ...rest, value_base64: value.toString('base64') };
  }

  /** Puts messages back on the topics they came from, bytes, key and headers as they were. */
  @Post('replay')
  @HttpCode(200)
  @RouteConfig({ access: 'console' })
  async replay(@Req() { principal }: FastifyRequest, @Body() body: unknown): Promise<{ replayed: number }> {
    const { ids } = checked(replay, body);
    const letters = await this.deadLetters.find(principal, ids);
    if (letters.length < new Set(ids.map((id) => id.toLowerCase())).size) throw notFound('dead letter');
    for (const { project_id: projectId } of letters)
      if (projectId !== null) requireProject(principal, projectId, 'member');
    // Marked before: a message that fails again opens its dead letter anew.
    await this.deadLetters.markReplayed(letters.map(({ id }) => id));
    try {
      await this.bus.publish(letters.map(({ topic, key, value, headers }) => ({ topic, key, value, headers })));
    } catch (error) {
      if (!(error instanceof BusUnavailableError)) throw error;
      throw unavailable('The dead letters could not be put back right now; try again.', error);
    }
    return { replayed: letters.length };
  }
}
