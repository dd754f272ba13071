import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { Controller, type OnApplicationShutdown } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { exchangeMcpMessages } from '#libs/contracts';
import { Handle, ProblemError, type RequestOf } from '#libs/platform';
import type { FastifyRequest } from 'fastify';
import type { McpCaller, mcpHandler } from './mcp-server.js';

/**
 * Model Context Protocol server for AI assistants. It is read-only and limited to what the API key can access: each
 * tool calls an operation of the dashboard API.
 */
@Controller()
export class McpController implements OnApplicationShutdown {
  private opened: Promise<ReturnType<typeof mcpHandler>> | null = null;

  constructor(private readonly http: HttpAdapterHost) {}

  @Handle(exchangeMcpMessages)
  async exchange({ raw, body, reply }: RequestOf<typeof exchangeMcpMessages>): Promise<void> {
    const { authorization } = raw.headers;
    // Session cookies are not accepted, because any page in the same browser could use them.
    if (authorization === undefined)
      throw new ProblemError('forbidden', 'MCP requires an API key. Send it as a bearer token.');
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

  /** Loads the library with the first message, because it needs a lot of memory and most instances don't use it. */
  private async open(): Promise<ReturnType<typeof mcpHandler>> {
    const { mcpHandler: handlerOf } = await import('./mcp-server.js');
    return handlerOf(this.http.httpAdapter.getInstance());
  }
}

/** Returns a JSON-RPC error for batches and for subscriptions, whose streams would never end. Otherwise null. */
function refusalOf(message: unknown): object | null {
  const { id = null, method } = (message ?? {}) as { id?: unknown; method?: unknown };
  const jsonRpcError = (code: number, text: string) => ({ jsonrpc: '2.0', id, error: { code, message: text } });
  if (Array.isArray(message)) return jsonRpcError(-32_600, 'Send one message at a time.');
  return method === 'subscriptions/listen' ? jsonRpcError(-32_601, 'Subscriptions are not supported.') : null;
}

function requestOf({ method, headers }: FastifyRequest): Request {
  const fields = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, [value].flat().join(', ')] as [string, string]],
  );
  // The parsed body is passed separately.
  return new Request('http://localhost/mcp', { method, headers: fields.filter(([name]) => name !== 'content-length') });
}
