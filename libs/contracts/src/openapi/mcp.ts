import { Type } from 'typebox';
import { operation } from './operation.js';

/** The Model Context Protocol, by which people's assistants read. Its messages are described by itself: no part of OpenAPI. */
export const exchangeMcpMessages = operation({
  method: 'post',
  path: '/mcp',
  id: 'exchangeMcpMessages',
  access: 'authenticated',
  onlyReads: true,
  tag: 'Assistants',
  summary: 'Call read-only tools of the Model Context Protocol (MCP) over streamable HTTP',
  body: Type.Unknown(),
  checksBody: 'parsed',
  answer: Type.Unknown(),
  otherMediaType: 'text/event-stream',
});
