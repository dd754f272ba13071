import { Type } from 'typebox';
import { operation } from './operation.js';

/** Model Context Protocol endpoint. Excluded from the OpenAPI documents because the protocol defines its messages. */
export const exchangeMcpMessages = operation({
  method: 'post',
  path: '/mcp',
  id: 'exchangeMcpMessages',
  access: 'authenticated',
  onlyReads: true,
  tag: 'Assistants',
  summary: 'Call read-only tools through the Model Context Protocol (MCP) over streamable HTTP',
  body: Type.Unknown(),
  checksBody: 'parsed',
  answer: Type.Unknown(),
  otherMediaType: 'text/event-stream',
});
