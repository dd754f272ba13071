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
  summary: 'Let an assistant read, by the Model Context Protocol over streamable HTTP',
  body: Type.Unknown(),
  checksBody: 'parsed',
  answer: Type.Unknown(),
  otherMediaType: 'text/event-stream',
});
