import { hashCredential, isMalformedCredential, generateCredential } from './credential.js';
import { SecretBox } from './secret-box.js';

describe('credential helpers', () => {
  it('generates random credentials and detects malformed ones', () => {
    const token = generateCredential('agt_');
    expect(token).toMatch(/^agt_[0-9A-Za-z]{38}$/);
    expect(generateCredential('agt_')).not.toBe(token);
    expect(isMalformedCredential(token, 'agt_')).toBe(false);
    const other = token.at(10) === 'x' ? 'y' : 'x';
    expect(isMalformedCredential(token.slice(0, 10) + other + token.slice(11), 'agt_')).toBe(true);
    expect(isMalformedCredential(token.slice(0, -1), 'agt_')).toBe(true);
    expect(isMalformedCredential('anything-from-the-environment', 'agt_')).toBe(false);
  });

  it('hashes credentials with SHA-256', () => {
    expect(hashCredential('abc').toString('hex')).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    );
  });
});

describe('SecretBox', () => {
  it('opens a sealed secret only with the same key and purpose', () => {
    const box = new SecretBox(SecretBox.generateKey());
    const sealed = box.seal('agt_secret', 'token 1');
    expect(sealed.includes('agt_secret')).toBe(false);
    expect(box.open(sealed, 'token 1')).toBe('agt_secret');
    expect(() => box.open(sealed, 'token 2')).toThrow();
    sealed[sealed.length - 1]! ^= 1;
    expect(() => box.open(sealed, 'token 1')).toThrow();
    expect(() => new SecretBox(SecretBox.generateKey()).open(box.seal('x', 'p'), 'p')).toThrow();
  });

  it('rejects a key that is not 32 bytes long', () => {
    expect(() => new SecretBox('c2hvcnQ=')).toThrow('32 bytes');
  });
});
