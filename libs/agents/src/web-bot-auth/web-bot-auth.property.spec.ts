import * as fc from 'fast-check';
import { REQUEST_TIME_MS, PARAMETERS, verifyRequest } from '../../../../test/kit/signed-requests.js';

describe('verifyWebBotAuth with arbitrary input', () => {
  const name = fc.constantFrom('signature', 'signature-input', 'signature-agent', 'host', ':path', '__proto__', 'x');
  const pieces = fc.constantFrom(
    'sig1',
    '=',
    '(',
    ')',
    ', ',
    ' ',
    ';',
    '"',
    '"@authority"',
    '"@query-param";name="a"',
    '"signature-agent";key="sig1"',
    '"x";sf',
    '"x";bs',
    '"x";key="constructor"',
    '"__proto__"',
    PARAMETERS,
    ';created=999999999999999',
    ';expires=-1',
    '"https://one.test"',
    '"https://two.test/keys"',
    ':AAAA:',
    '?1',
    '@1',
    '%"%ff"',
    '\n',
    '\u0000',
    '\ud800',
    '\u00e9',
  );
  const value = fc.oneof(
    { weight: 5, arbitrary: fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join('')) },
    fc.string({ unit: 'binary', maxLength: 40 }),
  );
  const wellFormed = fc
    .array(pieces, { maxLength: 5 })
    .map((parts) => `sig1=("@authority" "signature-agent";key="sig1" ${parts.join(' ')})${PARAMETERS}`);
  const createHeaders = (entries: [string, string][], input: string | null) =>
    Object.assign(Object.create(null), Object.fromEntries(entries), input === null ? {} : { 'signature-input': input });

  it('never throws and never returns "verified"', () => {
    const seenReasons = new Set<string>();
    fc.assert(
      fc.property(
        fc.array(fc.tuple(name, value), { maxLength: 8 }),
        fc.option(wellFormed),
        fc.option(value),
        fc.oneof(fc.double(), fc.constant(REQUEST_TIME_MS)),
        (entries, input, path, at) => {
          const headers = createHeaders(
            [['host', 'a'], ['signature-agent', 'sig1="https://one.test"'], ['signature', 'sig1=:AA==:'], ...entries],
            input,
          );
          const { outcome, reason } = verifyRequest({ headers, path, at });
          seenReasons.add(reason);
          return outcome !== 'verified';
        },
      ),
      { numRuns: 2_000 },
    );
    expect([...seenReasons]).toEqual(expect.arrayContaining(['bad_signature', 'no_web_bot_auth_signature']));
  });
});
