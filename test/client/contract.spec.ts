import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AGENT_TYPES, RobotsTxtRequestSchema, validator, VisitSchema } from '#libs/contracts';
import { REDACTED } from '#libs/agents';
import type { RobotsTxtRequest, Visit } from '../../libs/client/src/index.js';
import { Redactor } from '../../libs/client/src/redaction.js';
import { FRAMEWORKS, SITES } from './site-programs.js';

const ROOT = join(import.meta.dirname, '../..');

const VISIT: Required<Visit> = {
  request_path: '/a?b=1',
  request_method: 'POST',
  request_headers: { 'user-agent': 'GPTBot/1.2', accept: ['a', 'b'], 'content-length': 1, te: true, dnt: null },
  client_address: '192.0.2.7',
  response_status_code: 200,
  response_headers: { 'content-type': 'text/html' },
  response_duration_in_milliseconds: 0.5,
  response_size_in_bytes: 4_096,
  response_size_type: 'body',
  response_cache: 'hit',
  created: new Date(0).toISOString(),
  mcp_request_method: 'tools/call',
  mcp_request_tool_name: 'search',
  mcp_request_protocol_version: '2026-07-28',
  mcp_request_client_info_name: 'claude',
  mcp_request_client_info_version: '1.2',
  mcp_response_result_type: 'complete',
  mcp_response_result_is_error: false,
  mcp_response_error_code: -32_602,
  mcp_response_error_message: 'Unknown tool',
  acp_response_body: {},
  ucp_response_body: {},
  response_aborted: true,
};

it('sends exactly the visit fields that the API defines', () => {
  expect(validator(VisitSchema).faults(VISIT)).toEqual([]);
  const { response_aborted: ours, ...fields } = VISIT;
  expect(ours).toBe(true);
  expect(Object.keys(fields).toSorted()).toEqual(Object.keys(VisitSchema.properties).toSorted());
});

it('requests rules in the format that the API expects', () => {
  const request: Required<RobotsTxtRequest> = {
    agent_types: AGENT_TYPES,
    excluded_agent_tokens: ['GPTBot'],
    excluded_operator_names: ['Apple'],
    disallow: '/private/',
  };
  expect(validator(RobotsTxtRequestSchema).faults(request)).toEqual([]);
});

it('uses the same redaction placeholder as the instance', () => {
  const headers = { cookie: 'a=b' };
  const clean = new Redactor([]).redactVisit({ request_path: '/', request_method: 'GET', request_headers: headers });
  expect(clean.request_headers).toEqual({ cookie: REDACTED });
});

it('publishes the client with the same version as the release', async () => {
  const versionIn = async (folder: string): Promise<unknown> =>
    JSON.parse(await readFile(join(ROOT, folder, 'package.json'), 'utf8')).version;
  expect(await versionIn('libs/client')).toBe(await versionIn('.'));
});

it.each(FRAMEWORKS)('documents the client for %s with the same code that is tested', async (framework) => {
  expect(await readFile(join(ROOT, 'docs/connect/javascript.md'), 'utf8')).toContain(`\n${SITES[framework].client}\n`);
});
