import { toEdit } from './early-keys.js';

const NO_MODIFIERS = { ctrlKey: false, metaKey: false, altKey: false };
const type = (text: string, key: string, modifiers: Partial<typeof NO_MODIFIERS> = {}): string | undefined =>
  toEdit({ key, ...NO_MODIFIERS, ...modifiers })?.(text);

describe('toEdit', () => {
  it('adds characters', () => {
    expect(type('a', 'b')).toBe('ab');
    expect(type('a', ' ')).toBe('a ');
  });

  it('deletes a character, a word or everything with Backspace', () => {
    expect(type('ab', 'Backspace')).toBe('a');
    expect(type('', 'Backspace')).toBe('');
    expect(type('block gpt ', 'Backspace', { ctrlKey: true })).toBe('block ');
    expect(type('block gpt', 'Backspace', { altKey: true })).toBe('block ');
    expect(type('block gpt', 'Backspace', { metaKey: true })).toBe('');
  });

  it('ignores other keys and shortcuts', () => {
    expect(type('a', 'ArrowDown')).toBeUndefined();
    expect(type('a', 'k', { ctrlKey: true })).toBeUndefined();
  });
});
