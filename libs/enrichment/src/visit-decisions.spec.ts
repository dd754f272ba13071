import { readDecisions } from './visit-decisions.js';

const ID = '018f0000-0000-7000-8000-000000000001';
const visit = { request_path: '/', request_method: 'GET', request_headers: {} };

it('reads decisions from the response', () => {
  const headers = { 'Agent-Traffic-Decision': `allowed;live;${ID}, refused;dry_run;${ID}` };
  expect(readDecisions({ ...visit, response_headers: headers })).toEqual([
    { rule_id: ID, mode: 'live', outcome: 'allowed' },
    { rule_id: ID, mode: 'dry_run', outcome: 'refused' },
  ]);
});

it('ignores a header that the visitor has sent', () => {
  expect(
    readDecisions({ ...visit, request_headers: { 'agent-traffic-decision': `refused;live;${ID}` } }),
  ).toBeUndefined();
});

it.each([null, {}, { 'agent-traffic-decision': 'refused' }, { 'agent-traffic-decision': '' }])(
  'ignores other responses: %j',
  (headers) => expect(readDecisions({ ...visit, response_headers: headers as never })).toBeUndefined(),
);
