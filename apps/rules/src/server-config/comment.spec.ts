import { comment, namesComment } from './comment.js';

describe('comment', () => {
  it('writes a question mark instead of each character that a server might interpret', () => {
    expect(comment(['a "b" {$C} `d` <If> \\', 'x\ny\u2028z\u202e'])).toBe('# a ?b? ??C? ?d? ?If? ?\n# x?y?z?\n');
  });

  it('leaves harmless characters in a comment unchanged', () => {
    expect(comment(["Café (漢字) */ # ; % 'q'"], '    ')).toBe("    # Café (漢字) */ # ; % 'q'\n");
  });
});

describe('namesComment', () => {
  it('wraps lines between names', () => {
    const names = Array.from({ length: 12 }, (_, index) => `${'x'.repeat(18)}${index}`);
    const lines = namesComment(names).split('\n');
    expect(lines).toHaveLength(4);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(102);
    expect(lines.join(' ').replaceAll('# ', '').trim()).toBe(names.join(', '));
  });

  it('returns no comment for an empty list of names', () => {
    expect(namesComment([])).toBe('');
  });
});
