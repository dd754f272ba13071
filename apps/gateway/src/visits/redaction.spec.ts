import { REDACTED, Redactor, Redactors, SENSITIVE_HEADERS } from './redaction.js';

const redactor = new Redactor(SENSITIVE_HEADERS);

describe('Redactor', () => {
  it.each([
    '{"request_headers":{"Cookie":"a"}}',
    '{"request_headers":{"AUTHORIZATION" : "b"}}',
    '{"request_headers":{"\\u0063ookie":"a"}}',
    '{"request_headers":{"cookie":"first"},"request_headers":{}}',
  ])('sees that %s may hold a secret', (json) => {
    expect(redactor.isMentionedIn(json)).toBe(true);
  });

  it.each(['{"request_headers":{"user-agent":"cookie monster \\u00e4"}}', '{"x":"set-cookies"}', '[]'])(
    'lets %s pass',
    (json) => {
      expect(redactor.isMentionedIn(json)).toBe(false);
    },
  );

  it('replaces values in requests and responses, in any case and of any shape', () => {
    const visit = {
      request_headers: { Cookie: ['a', 'b'], Accept: '*/*', 'X-Api-Key': 7, authorization: null },
      response_headers: { 'Set-Cookie': { odd: true } },
    };
    redactor.redact(visit);
    expect(visit).toEqual({
      request_headers: { Cookie: REDACTED, Accept: '*/*', 'X-Api-Key': REDACTED, authorization: null },
      response_headers: { 'Set-Cookie': REDACTED },
    });
  });

  it('replaces headers that are no object whole', () => {
    const item = { request_headers: 'Cookie: a=b', response_headers: [['set-cookie', 'a']] };
    redactor.redact(item);
    expect(item).toEqual({ request_headers: REDACTED, response_headers: REDACTED });
    for (const value of [null, 1, 'x', []]) expect(() => redactor.redact(value)).not.toThrow();
  });

  it("takes a project's own names, also with characters that mean something in expressions", () => {
    const redactors = new Redactors(SENSITIVE_HEADERS);
    const own = redactors.for(['x-member.id', 'x+y']);
    expect(own).toBe(redactors.for(['x-member.id', 'x+y']));
    expect(own.isMentionedIn('{"X-Member.Id":1}')).toBe(true);
    expect(own.isMentionedIn('{"X-MemberXId":1}')).toBe(false);
    expect(own.isMentionedIn('{"cookie":1}')).toBe(true);
  });
});
