import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { createMcpHandler, McpServer, type CallToolResult } from '@modelcontextprotocol/server';
import { Controller, type OnApplicationShutdown } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { exchangeMcpMessages, type Problem } from '#libs/contracts';
import { Handle, ProblemError, type RequestOf } from '#libs/platform';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { faultText, MCP_TOOLS, type McpTool } from './mcp-tools.js';

const INSTRUCTIONS =
  "Agent Traffic says which AI agents, crawlers and other bots visit a site, and whether each is who it says it is. Begin with list_projects. Times are ISO 8601; a range that isn't given is the last 24 hours. A result of `verification_failed` is a visitor that pretends to be the agent.";

/** What a tool needs of the request that calls it. */
interface Caller {
  authorization: string;
  address: string;
}

/**
 * A server of the Model Context Protocol, for people's assistants. It only reads, and only what the API key reaches: each
 * tool is an operation of the interface, which is asked like by anybody else.
 */
@Controller()
export class McpController implements OnApplicationShutdown {
  private readonly handler = createMcpHandler(({ authInfo }) => this.serverFor(authInfo!.extra as never));

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
    const caller: Caller = { authorization, address: raw.ip };
    const answer = await this.handler.fetch(requestOf(raw), {
      parsedBody: body,
      authInfo: { token: authorization, clientId: raw.principal.keyId!, scopes: [], extra: { ...caller } },
    });
    await reply
      .code(answer.status)
      .headers(Object.fromEntries(answer.headers))
      .send(answer.body === null ? '' : Readable.fromWeb(answer.body as ReadableStream));
  }

  async onApplicationShutdown(): Promise<void> {
    await this.handler.close();
  }

  private serverFor(caller: Caller): McpServer {
    const server = new McpServer({ name: 'agent-traffic', version: '1' }, { instructions: INSTRUCTIONS });
    for (const tool of MCP_TOOLS) {
      const { name, description, inputSchema } = tool;
      server.registerTool(
        name,
        {
          description,
          inputSchema,
          annotations: { readOnlyHint: true, openWorldHint: false },
        },
        (given) => this.call(tool, given, caller),
      );
    }
    return server;
  }

  private async call(tool: McpTool, given: Record<string, unknown>, caller: Caller): Promise<CallToolResult> {
    const instance: FastifyInstance = this.http.httpAdapter.getInstance();
    const { statusCode, body } = await instance.inject({
      method: 'GET',
      url: tool.urlOf(given),
      headers: { authorization: caller.authorization },
      remoteAddress: caller.address,
    });
    const answer = JSON.parse(body) as Record<string, unknown>;
    if (statusCode >= 400) return { isError: true, content: [{ type: 'text', text: faultOf(answer as never) }] };
    return { content: [{ type: 'text', text: body }], structuredContent: answer };
  }
}

/** One message at a time, and no streams, which would stay open without a limit. @returns null for others. */
function refusalOf(message: unknown): object | null {
  const { id = null, method } = (message ?? {}) as { id?: unknown; method?: unknown };
  const refused = (code: number, text: string) => ({ jsonrpc: '2.0', id, error: { code, message: text } });
  if (Array.isArray(message)) return refused(-32_600, 'Send one message at a time.');
  return method === 'subscriptions/listen' ? refused(-32_601, 'There is nothing to subscribe to.') : null;
}

const faultOf = ({ title, detail, errors = [] }: Problem): string => `${detail ?? title}\n${faultText(errors)}`.trim();

function requestOf({ method, headers }: FastifyRequest): Request {
  const given = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, [value].flat().join(', ')] as [string, string]],
  );
  // The body is given as it was parsed.
  return new Request('http://localhost/mcp', { method, headers: given.filter(([name]) => name !== 'content-length') });
}
