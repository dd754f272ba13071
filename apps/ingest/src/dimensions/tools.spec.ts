import {
  parseDimension,
  getDurationClass,
  getClassDuration,
  getVisitKinds,
  type EnrichedVisit,
  type Visit,
} from '#libs/contracts';
import { UNKNOWN_AGENT } from '../../../../test/kit/unknown-agent.js';
import { toolDimensions } from './tools.js';

const AGENT = '5b0c4f3e-0000-5000-8000-000000000001';

const getParts = (members: object, identification: object = {}) => {
  const visit = { request_path: '/mcp', request_method: 'POST', request_headers: {}, ...members } as Visit;
  const enrichedVisit = {
    id: '019a0000-0000-7000-8000-000000000001',
    project_id: '019a0000-0000-7000-8000-000000000000',
    received_at: '2026-11-21T08:00:00.000Z',
    occurred_at: '2026-11-21T07:00:00.000Z',
    client_address: null,
    visit,
    identification: { ...UNKNOWN_AGENT, ...identification },
  } as EnrichedVisit;
  const found = toolDimensions(enrichedVisit, {
    path: '/mcp',
    page: '/mcp',
    kinds: getVisitKinds(visit),
    isPayment: false,
    requestedFormat: 'none',
    responseFormat: 'none',
  });
  return found.map(([name, value]) => [name, ...parseDimension(value)]);
};

const call = { mcp_request_method: 'tools/call', mcp_request_tool_name: 'search' };
const getOutcome = (visit: object) => getParts({ ...call, ...visit }).find(([name]) => name === 'tools_call')![2];

describe('toolDimensions', () => {
  it('counts a call by tool, outcome, agent, client and duration', () => {
    const visit = {
      ...call,
      mcp_request_client_info_name: 'openai-mcp',
      mcp_request_client_info_version: '1.2.0',
      response_duration_in_milliseconds: 100,
    };
    expect(getParts(visit, { agent_id: AGENT, result: 'verified' })).toEqual([
      ['tools_kind', 'mcp'],
      ['tools_version', '', AGENT, 'openai-mcp', '1.2.0'],
      ['tools_result', 'answered'],
      ['tools_call', 'search', ''],
      ['tools_caller', 'search', AGENT],
      ['tools_client', 'search', 'openai-mcp', '1.2.0'],
      ['tools_duration', 'search', '27'],
    ]);
  });

  it("doesn't attribute a spoofed call to the claimed agent", () => {
    expect(getParts(call, { agent_id: AGENT, result: 'verification_failed' })).toContainEqual([
      'tools_caller',
      'search',
      'spoofed',
    ]);
    expect(getParts(call)).toContainEqual(['tools_caller', 'search', '']);
  });

  it('distinguishes tool, protocol and HTTP errors', () => {
    expect(getOutcome({})).toBe('');
    expect(getOutcome({ mcp_response_result_is_error: false, response_status_code: 200 })).toBe('');
    expect(getOutcome({ mcp_response_result_is_error: true })).toBe('tool');
    expect(getOutcome({ mcp_response_error_code: -32602, response_status_code: 400 })).toBe('protocol -32602');
    expect(getOutcome({ mcp_response_error_code: 0 })).toBe('protocol 0');
    expect(getOutcome({ response_status_code: 503 })).toBe('http 503');
  });

  it('counts other MCP requests by method, name and outcome', () => {
    expect(getParts({ mcp_request_method: 'tools/list', mcp_response_error_code: -32_601 })).toEqual([
      ['tools_kind', 'mcp'],
      ['tools_version', '', '', '', ''],
      ['tools_request', 'tools/list', '', 'protocol -32601'],
    ]);
    expect(getParts({ mcp_request_method: 'resources/read', mcp_request_tool_name: 'file:///a.md' })).toContainEqual([
      'tools_request',
      'resources/read',
      'file:///a.md',
      '',
    ]);
  });

  it('counts a request without a method only by its protocol version', () => {
    expect(getParts({ mcp_request_protocol_version: '2025-11-25' })).toEqual([
      ['tools_kind', 'mcp'],
      ['tools_version', '2025-11-25', '', '', ''],
    ]);
  });

  it('counts a call that requires input and its retry as one call', () => {
    const names = (visit: object) => getParts({ ...call, ...visit }).map(([name]) => name);
    expect(names({ mcp_response_result_type: 'input_required' })).toEqual(['tools_kind', 'tools_version']);
    expect(names({ mcp_response_result_type: 'complete' })).toContain('tools_call');
  });

  it('counts commerce only by kind and ignores page visits', () => {
    expect(getParts({ acp_response_body: {}, ucp_response_body: {} })).toEqual([
      ['tools_kind', 'acp'],
      ['tools_kind', 'ucp'],
    ]);
    expect(getParts({})).toEqual([]);
    expect(getParts({ mcp_request_tool_name: null, mcp_request_method: null })).toEqual([]);
  });

  it('treats a request with only a tool name or only the call method as a call', () => {
    expect(getParts({ mcp_request_tool_name: 'search' })).toContainEqual(['tools_call', 'search', '']);
    expect(getParts({ mcp_request_method: 'tools/call' })).toContainEqual(['tools_call', '', '']);
  });

  it("truncates long names and replaces characters that PostgreSQL can't store", () => {
    const long = getParts({ ...call, mcp_request_tool_name: 'x'.repeat(100_000) });
    expect(long.slice(3).every(([, tool]) => tool === 'x'.repeat(200))).toBe(true);
    const broken = getParts({ ...call, mcp_request_tool_name: 'a\0\ud800', mcp_request_client_info_name: '\udfff' });
    expect(broken).toContainEqual(['tools_call', 'a\ufffd\ufffd', '']);
    expect(broken).toContainEqual(['tools_client', 'a\ufffd\ufffd', '\ufffd', '']);
  });
});

describe('durationClass', () => {
  it('represents every duration with an error below 10 percent', () => {
    for (let duration = 1.01; duration < 1e7; duration *= 1.01) {
      const middle = getClassDuration(getDurationClass(duration));
      expect(Math.abs(middle / duration - 1)).toBeLessThan(0.096);
    }
    expect([0, 0.4, 1].map(getDurationClass)).toEqual([0, 0, 0]);
    expect(getClassDuration(0)).toBe(1);
  });
});
