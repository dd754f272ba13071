import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { Controller, type OnApplicationShutdown } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { exchangeMcpMessages } from '#libs/contracts';
import { Handle, ProblemError, type RequestOf } from '#libs/platform';
import type { FastifyRequest } from 'fastify';
import type { McpCaller, buildMcpHandler } from './mcp-server.js';

/**
 * Model Context Protocol server for AI assistants. Each tool calls a read-only operation in the dashboard API, so
 * assistants can read only what the API key can access.
 */
@Controller()
export class McpController implements OnApplicationShutdown {
  private handler: Promise<ReturnType<typeof buildMcpHandler>> | null = null;

  constructor(private readonly http: HttpAdapterHost) {}

  @Handle(exchangeMcpMessages)
  async exchange({ raw, body, reply }: RequestOf<typeof exchangeMcpMessages>): Promise<void> {
    const { authorization } = raw.headers;
    // Session cookies aren't accepted, because any page in the same browser could use them.
    if (authorization === undefined)
      throw new ProblemError('forbidden', 'MCP requires an API key. Send it as a bearer token.');
    const rejection = rejectUnsupported(body);
    if (rejection !== null) {
      await reply.code(400).send(rejection);
      return;
    }
    const caller: McpCaller = { authorization, address: raw.ip };
    this.handler ??= this.loadHandler();
    const { fetch } = await this.handler;
    const response = await fetch(toRequest(raw), {
      parsedBody: body,
      authInfo: { token: authorization, clientId: raw.principal.keyId!, scopes: [], extra: { ...caller } },
    });
    await reply
      .code(response.status)
      .headers(Object.fromEntries(response.headers))
      .send(response.body === null ? '' : Readable.fromWeb(response.body as ReadableStream));
  }

  async onApplicationShutdown(): Promise<void> {
    await (await this.handler)?.close();
  }

  /** Loads the library on the first message, because it uses a lot of memory and most instances don't need it. */
  private async loadHandler(): Promise<ReturnType<typeof buildMcpHandler>> {
    const { buildMcpHandler: buildHandler } = await import('./mcp-server.js');
    return buildHandler(this.http.httpAdapter.getInstance());
  }
}

/**
 * Returns a JSON-RPC error for batches, and for subscriptions, whose streams would never end. Otherwise, returns null.
 */
function rejectUnsupported(message: unknown): object | null {
  const { id = null, method } = (message ?? {}) as { id?: unknown; method?: unknown };
  const createJsonRpcError = (code: number, text: string) => ({ jsonrpc: '2.0', id, error: { code, message: text } });
  if (Array.isArray(message)) return createJsonRpcError(-32_600, 'Send one message at a time.');
  return method === 'subscriptions/listen' ? createJsonRpcError(-32_601, 'Subscriptions are not supported.') : null;
}

function toRequest({ method, headers }: FastifyRequest): Request {
  const fields = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, [value].flat().join(', ')] as [string, string]],
  );
  // The request has no body, because the parsed message is passed separately. Therefore, its Content-Length is omitted.
  return new Request('http://localhost/mcp', { method, headers: fields.filter(([name]) => name !== 'content-length') });
}
