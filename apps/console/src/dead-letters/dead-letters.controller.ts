import { Body, Controller, Get, HttpCode, Inject, Param, Post, Query, Req } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { Bus, BusUnavailableError } from '#libs/bus';
import { DeadLetterReplaySchema, validator, type DeadLetter, type DeadLetterWithBody } from '#libs/contracts';
import { ProblemError, unavailable } from '#libs/platform';
import type { FastifyRequest } from 'fastify';
import { notFound, requireId, requireProject } from '../access/principal.js';
import { checked } from '../checked.js';
import { DeadLettersRepository, type DeadLetterPlace } from './dead-letters.repository.js';

const replay = validator(DeadLetterReplaySchema);
const DEFAULT_LIMIT = 50;
const MOST_LETTERS = 1_000;

@Controller('api/dead-letters')
export class DeadLettersController {
  constructor(
    @Inject(DeadLettersRepository) private readonly deadLetters: DeadLettersRepository,
    @Inject(Bus) private readonly bus: Bus,
  ) {}

  @Get()
  @RouteConfig({ access: 'console' })
  async list(
    @Req() { principal }: FastifyRequest,
    @Query('project') project?: string,
    @Query('limit') limitText?: string,
    @Query('cursor') cursor?: string,
  ): Promise<{ dead_letters: DeadLetter[]; next_cursor: string | null }> {
    const projectId = project === undefined ? null : requireProject(principal, project);
    const limit = limitText === undefined ? DEFAULT_LIMIT : Number(limitText);
    if (!Number.isInteger(limit) || limit < 1 || limit > MOST_LETTERS) {
      throw invalid('limit', `must be a whole number from 1 to ${MOST_LETTERS}`);
    }
    const after = cursor === undefined || cursor === '' ? null : readPlace(cursor);
    const letters = await this.deadLetters.list(principal, { projectId, after, limit: limit + 1 });
    const page = letters.slice(0, limit);
    const last = page.at(-1);
    return { dead_letters: page, next_cursor: letters.length > limit && last ? writePlace(last) : null };
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

const invalid = (name: string, detail: string): ProblemError =>
  new ProblemError('invalid-body', `The parameters do not fit: ${name} ${detail}.`, {
    errors: [{ pointer: `/${name}`, detail }],
  });

const writePlace = ({ failed_at, id }: DeadLetter): string => Buffer.from(`${failed_at} ${id}`).toString('base64url');

function readPlace(cursor: string): DeadLetterPlace {
  const [failedAt = '', id = ''] = Buffer.from(cursor, 'base64url').toString().split(' ');
  if (Number.isNaN(Date.parse(failedAt)) || !/^[0-9a-f-]{36}$/.test(id)) {
    throw invalid('cursor', 'must be a cursor of an earlier answer');
  }
  return { failedAt: new Date(failedAt).toISOString(), id };
}
