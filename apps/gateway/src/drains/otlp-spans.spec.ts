import { Writer } from 'protobufjs/minimal.js';
import type { Visit } from '#libs/contracts';
import { getDrainSender } from '#libs/drains';
import { drainItems } from './drain-body.js';
import { drainFormat } from './drain-formats.js';
import { toChunks } from './drain-chunks.js';
import { LineSorter } from './line-sorter.js';

const ATTRIBUTES = {
  'mcp.method.name': 'tools/call',
  'gen_ai.tool.name': 'get_weather',
  'mcp.protocol.version': '2026-07-28',
  'client.address': '192.0.2.1',
  'user_agent.original': 'Claude-User/1.0',
};
const SPAN = { traceId: 'ab'.repeat(16), spanId: 'cd'.repeat(8), kind: 2 };
const TIMES = { startTimeUnixNano: '1795514400000000000', endTimeUnixNano: '1795514400012500000' };
const VISIT = {
  request_method: 'POST',
  request_path: '/mcp',
  request_headers: { 'user-agent': 'Claude-User/1.0' },
  client_address: '192.0.2.1',
  created: '2026-11-24T10:00:00.000Z',
  response_duration_in_milliseconds: 12.5,
  mcp_request_method: 'tools/call',
  mcp_request_tool_name: 'get_weather',
  mcp_request_protocol_version: '2026-07-28',
};

async function read(body: Buffer, contentType: string) {
  const sender = getDrainSender('opentelemetry');
  const sorter = new LineSorter(sender, { leavesOutStaticFiles: true, mapping: null });
  const visits: Visit[] = [];
  for await (const chunk of toChunks(drainItems(body, drainFormat(sender, { 'content-type': contentType })))) {
    for (const item of chunk.items) {
      for (const sorted of sorter.sort(item)) if (sorted.kind === 'visit') visits.push(sorted.visit);
    }
  }
  return { visits, receipt: sorter.receipt };
}

const toJson = (attributes: object, span: object = SPAN): Buffer => {
  const list = Object.entries(attributes).map(([key, stringValue]) => ({ key, value: { stringValue } }));
  const spans = [{ ...span, ...TIMES, attributes: list }];
  return Buffer.from(JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] }));
};

const readJson = (attributes: object, span?: object) => read(toJson(attributes, span), 'application/json');

/** Encodes a request with one span (opentelemetry-proto, trace/v1). */
function toProtobuf(attributes: Record<string, string>): Buffer {
  const span = Writer.create();
  span.uint32(10).bytes(Buffer.from(SPAN.traceId, 'hex')).uint32(18).bytes(Buffer.from(SPAN.spanId, 'hex'));
  span.uint32(42).string('tools/call get_weather').uint32(48).int32(SPAN.kind);
  span.uint32(57).fixed64(TIMES.startTimeUnixNano).uint32(65).fixed64(TIMES.endTimeUnixNano);
  for (const [key, value] of Object.entries(attributes)) {
    span.uint32(74).fork().uint32(10).string(key).uint32(18).fork().uint32(10).string(value).ldelim().ldelim();
  }
  const wrap = (tag: number, inner: Uint8Array): Uint8Array => Writer.create().uint32(tag).bytes(inner).finish();
  return Buffer.from(wrap(10, wrap(18, wrap(18, span.finish()))));
}

describe('spans of MCP servers', () => {
  it('are visits, as JSON and as protobuf', async () => {
    expect((await readJson(ATTRIBUTES)).visits).toEqual([VISIT]);
    expect((await read(toProtobuf(ATTRIBUTES), 'application/x-protobuf')).visits).toEqual([VISIT]);
  });

  it('report resources, prompts and errors', async () => {
    const { 'gen_ai.tool.name': _tool, ...others } = ATTRIBUTES;
    const fields = async (attributes: object) => (await readJson({ ...others, ...attributes })).visits[0];
    expect(await fields({ 'mcp.method.name': 'resources/read', 'mcp.resource.uri': 'file:///a' })).toMatchObject({
      mcp_request_method: 'resources/read',
      mcp_request_tool_name: 'file:///a',
    });
    expect(await fields({ 'gen_ai.prompt.name': 'a' })).toMatchObject({ mcp_request_tool_name: 'a' });
    expect(await fields({ 'error.type': 'tool_error' })).toMatchObject({ mcp_response_result_is_error: true });
    expect(await fields({ 'error.type': '-32602', 'rpc.response.status_code': '-32602' })).toMatchObject({
      mcp_response_error_code: -32_602,
    });
    expect(await fields({ 'error.type': '-32602' })).toMatchObject({ mcp_response_error_code: -32_602 });
    expect(await fields({ 'rpc.response.status_code': '0' })).not.toHaveProperty('mcp_response_error_code');
  });

  it.each([
    [{ 'url.path': '/tools' }, '/tools'],
    [{ 'http.target': '/tools' }, '/tools'],
    [{ 'url.full': 'https://shop.example/tools' }, '/tools'],
    [{}, '/mcp'],
  ])('with the attributes %j are requests for %s', async (attributes, path) => {
    expect((await readJson({ ...ATTRIBUTES, ...attributes })).visits).toMatchObject([{ request_path: path }]);
  });

  it('are the only spans that are visits', async () => {
    const { 'mcp.method.name': _method, ...http } = ATTRIBUTES;
    const skipped = { visits: [], receipt: expect.objectContaining({ left_out: 1, unreadable: 0 }) };
    expect(await readJson({ ...http, 'http.request.method': 'POST', 'url.path': '/mcp' })).toEqual(skipped);
    expect(await readJson(ATTRIBUTES, { ...SPAN, kind: 3 })).toEqual(skipped);
    expect(await readJson({ ...ATTRIBUTES, 'network.transport': 'pipe' })).toEqual(skipped);
  });

  it('are unreadable without a client address', async () => {
    const { 'client.address': _address, ...others } = ATTRIBUTES;
    expect((await readJson(others)).receipt).toMatchObject({ visits: 0, unreadable: 1 });
  });
});
