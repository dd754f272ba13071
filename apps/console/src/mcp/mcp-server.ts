import { createMcpHandler, McpServer, type CallToolResult, type McpHttpHandler } from '@modelcontextprotocol/server';
import type { Problem } from '#libs/contracts';
import type { FastifyInstance } from 'fastify';
import { faultText, MCP_TOOLS, type McpTool } from './mcp-tools.js';

const INSTRUCTIONS =
  "Agent Traffic says which AI agents, crawlers and other bots visit a site, and whether each is who it says it is. Begin with list_projects. Times are ISO 8601; a range that isn't given is the last 24 hours. A result of `verification_failed` is a visitor that pretends to be the agent.";

/** What a tool needs of the request that calls it. */
export interface McpCaller {
  authorization: string;
  address: string;
}

/**
 * Returns what answers messages of the Model Context Protocol. A caller is in `authInfo.extra`.
 *
 * @param instance that answers the operations which the tools are.
 */
export const mcpHandler = (instance: FastifyInstance): McpHttpHandler =>
  createMcpHandler(({ authInfo }) => serverFor(instance, authInfo!.extra as unknown as McpCaller));

function serverFor(instance: FastifyInstance, caller: McpCaller): McpServer {
  const server = new McpServer({ name: 'agent-traffic', version: '1' }, { instructions: INSTRUCTIONS });
  for (const tool of MCP_TOOLS) {
    const { name, description, inputSchema } = tool;
    const annotations = { readOnlyHint: true, openWorldHint: false };
    server.registerTool(name, { description, inputSchema, annotations }, (given) =>
      call(instance, tool, given, caller),
    );
  }
  return server;
}

/** Asks the operation, as the caller would. */
async function call(
  instance: FastifyInstance,
  tool: McpTool,
  given: Record<string, unknown>,
  { authorization, address }: McpCaller,
): Promise<CallToolResult> {
  const { statusCode, body } = await instance.inject({
    method: 'GET',
    url: tool.urlOf(given),
    headers: { authorization },
    remoteAddress: address,
  });
  const answer = JSON.parse(body) as Record<string, unknown>;
  if (statusCode >= 400) return { isError: true, content: [{ type: 'text', text: faultOf(answer as never) }] };
  return { content: [{ type: 'text', text: body }], structuredContent: answer };
}

const faultOf = ({ title, detail, errors = [] }: Problem): string => `${detail ?? title}\n${faultText(errors)}`.trim();
