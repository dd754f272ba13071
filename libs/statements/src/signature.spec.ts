import { sign } from 'node:crypto';
import { createStatementKey, signStatement, verifyStatement, type PublicStatementKey } from './index.js';

const BODIES = {
  ndjson: '{"record":"statement","operator":"OpenAI"}\n{"record":"total","fetches":1}\n',
  html: '<!doctype html>\n<html lang="en"><title>Statement</title><p>1</p></html>\n',
};

/** The independent check. Its type isn't known, because it isn't TypeScript. */
type Check = (file: Buffer, keySet: { keys: readonly PublicStatementKey[] }) => PublicStatementKey;

let check: Check;
let keys: PublicStatementKey[];
let key: Awaited<ReturnType<typeof createStatementKey>>;
beforeAll(async () => {
  const script = new URL('../../../docs/verify-statement.mjs', import.meta.url).href;
  ({ check } = (await import(script)) as { check: Check });
  key = await createStatementKey();
  keys = [(await createStatementKey()).publicKey, key.publicKey];
});

function createFile(body: string): Buffer {
  const bytes = Buffer.from(body);
  return Buffer.from(body + signStatement(bytes, { id: key.publicKey.kid, privateKey: key.privateKey }));
}

function isAcceptedByScript(file: Buffer): boolean {
  try {
    return check(file, { keys }) === keys[1];
  } catch {
    return false;
  }
}

describe.each(Object.entries(BODIES))('a statement in %s', (format, body) => {
  it('is valid, and signed the same way every time', () => {
    const file = createFile(body);
    expect(createFile(body)).toEqual(file);
    expect(verifyStatement(file, keys)).toEqual({ isValid: true, keyId: key.publicKey.kid, format });
    expect(isAcceptedByScript(file)).toBe(true);
  });

  it('is rejected by both checks if any byte was changed, removed or added', () => {
    const file = createFile(body);
    const accepted: unknown[] = [];
    const expectRejected = (changed: Buffer, change: string): void => {
      if (verifyStatement(changed, keys).isValid || isAcceptedByScript(changed)) accepted.push(change);
    };
    for (let position = 0; position < file.length; position += 1) {
      // Every single bit, and a random other value.
      const masks = [1, 2, 4, 8, 16, 32, 64, 128, 1 + Math.floor(Math.random() * 255)];
      for (const mask of masks) {
        const changed = Buffer.from(file);
        changed[position]! ^= mask;
        expectRejected(changed, `byte ${position} ^ ${mask}`);
      }
      expectRejected(Buffer.concat([file.subarray(0, position), file.subarray(position + 1)]), `without ${position}`);
      expectRejected(
        Buffer.concat([file.subarray(0, position), Buffer.from(' '), file.subarray(position)]),
        `space at ${position}`,
      );
      expectRejected(file.subarray(0, position), `first ${position}`);
    }
    for (const suffix of ['\n', ' ', '-->', '{"record":"total"}\n']) {
      expectRejected(Buffer.concat([file, Buffer.from(suffix)]), `with ${suffix}`);
    }
    expect(accepted).toEqual([]);
  });

  it('is rejected without its key, or if another key signed it under the same ID', () => {
    const file = createFile(body);
    expect(verifyStatement(file, keys.slice(0, 1))).toEqual({
      isValid: false,
      fault: expect.stringContaining('None of the keys has the ID'),
    });
    const forged = [{ ...keys[0]!, kid: keys[1]!.kid }];
    expect(verifyStatement(file, forged)).toEqual({ isValid: false, fault: expect.stringContaining('does not match') });
    expect(() => check(file, { keys: forged })).toThrow('does not match');
    expect(verifyStatement(file, [{ ...keys[1]!, x: '' }])).toEqual({
      isValid: false,
      fault: expect.stringContaining("isn't an Ed25519 key"),
    });
  });
});

it.each([
  ['empty', ''],
  ['short', '"}\n'],
  ['unsigned', BODIES.ndjson],
  ['unsigned HTML', BODIES.html],
])('rejects an %s file', (_, text) => {
  expect(verifyStatement(Buffer.from(text), keys).isValid).toBe(false);
  expect(isAcceptedByScript(Buffer.from(text))).toBe(false);
});

it('rejects a file whose last line is signed but is not a signature record', () => {
  const signed = Buffer.from('{"signature":"');
  const digits = sign(null, signed, key.privateKey).toString('hex');
  const file = Buffer.from(`${signed.toString()}${digits}"}\n`);
  expect(verifyStatement(file, keys)).toMatchObject({ isValid: false });
  expect(isAcceptedByScript(file)).toBe(false);
});
