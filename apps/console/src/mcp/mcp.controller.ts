import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { Controller, type OnApplicationShutdown } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { exchangeMcpMessages } from '#libs/contracts';
import { Handle, ProblemError, type RequestOf } from '#libs/platform';
import type { FastifyRequest } from 'fastify';
import type { McpCaller, mcpHandler } from './mcp-server.js';

/**
 * A server of the Model Context Protocol, for people's assistants. It only reads, and only what the API key reaches: each
 * tool is an operation of the interface, which is asked like by anybody else.
 */
@Controller()
export class McpController implements OnApplicationShutdown {
  private opened: Promise<ReturnType<typeof mcpHandler>> | null = null;

  constructor(private readonly http: HttpAdapterHost) {}

  @Handle(exchangeMcpMessages)
  async exchange({ raw, body, reply }: RequestOf<typeof exchangeMcpMessages>): Promise<void> {
    const { authorization } = raw.headers;
    // A session would let pages that the person opens ask, too.
    if (authorization === undefined) throw new ProblemError('forbidden', 'An assistant needs an API key.');
    const refusal = refusalOf(body);
    if (refusal !== null) {
      await reply.code(400).send(refusal);
      return;
    }
    const caller: McpCaller = { authorization, address: raw.ip };
    this.opened ??= this.open();
    const { fetch } = await this.opened;
    const answer = await fetch(requestOf(raw), {
      parsedBody: body,
      authInfo: { token: authorization, clientId: raw.principal.keyId!, scopes: [], extra: { ...caller } },
    });
    await reply
      .code(answer.status)
      .headers(Object.fromEntries(answer.headers))
      .send(answer.body === null ? '' : Readable.fromWeb(answer.body as ReadableStream));
  }

  async onApplicationShutdown(): Promise<void> {
    await (await this.opened)?.close();
  }

  /** With the first message: the library takes 33 MB, and most instances have no assistants. */
  private async open(): Promise<ReturnType<typeof mcpHandler>> {
    const { mcpHandler: handlerOf } = await import('./mcp-server.js');
    return handlerOf(this.http.httpAdapter.getInstance());
  }
}

/** One message at a time, and no streams, which would stay open without a limit. @returns null for others. */
function refusalOf(message: unknown): object | null {
  const { id = null, method } = (message ?? {}) as { id?: unknown; method?: unknown };
  const refused = (code: number, text: string) => ({ jsonrpc: '2.0', id, error: { code, message: text } });
  if (Array.isArray(message)) return refused(-32_600, 'Send one message at a time.');
  return method === 'subscriptions/listen' ? refused(-32_601, 'There is nothing to subscribe to.') : null;
}

function requestOf({ method, headers }: FastifyRequest): Request {
  const given = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, [value].flat().join(', ')] as [string, string]],
  );
  // The body is given as it was parsed.
  return new Request('http://localhost/mcp', { method, headers: given.filter(([name]) => name !== 'content-length') });
}
