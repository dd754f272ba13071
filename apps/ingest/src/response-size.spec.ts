import { getResponseSize } from './response-size.js';

const visit = (members: object) => ({ request_path: '/', request_method: 'GET', request_headers: {}, ...members });
const response_headers = { 'Content-Length': '4096' };

describe('getResponseSize', () => {
  it('returns the reported size', () => {
    expect(getResponseSize(visit({ response_size_in_bytes: 0, response_headers }))).toBe(0);
  });

  it('reads the Content-Length header if no size was reported', () => {
    expect(getResponseSize(visit({ response_size_in_bytes: null, response_headers }))).toBe(4096);
  });

  it.each([
    {},
    { response_size_in_bytes: 'large' },
    { response_size_in_bytes: 12.5 },
    { response_size_in_bytes: -1 },
    { request_method: 'HEAD', response_headers },
    { response_status_code: 304, response_headers },
    { response_aborted: true, response_headers },
    { response_headers: { 'content-length': '' } },
    { response_headers: { 'content-length': '1e3' } },
    { response_headers: { 'content-length': ' 12' } },
    { response_headers: { 'content-length': '12, 12' } },
    { response_headers: { 'content-length': '-1' } },
    { response_headers: { 'content-length': 'a lot' } },
  ])('returns null for %j', (members) => {
    expect(getResponseSize(visit(members))).toBeNull();
  });
});
